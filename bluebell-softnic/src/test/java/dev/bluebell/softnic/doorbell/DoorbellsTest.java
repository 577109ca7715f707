package dev.bluebell.softnic.doorbell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.LoneSendQueue;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * UAR pages: the queues that a doorbell starts, and those whose doorbells it may have overwritten.
 */
class DoorbellsTest {
  private static final int FIRST_CQN = 0x80;

  private final LoneChip chip = new LoneChip();
  private final Engine engine = new Engine(() -> 0, new DeviceTime(), null);
  private final ObjectTable<Ringer> all = new ObjectTable<>(1, 1 << 16);
  private final Doorbells doorbells =
      new Doorbells(all, chip.recorder(), chip.chip().explanations(), engine, false, null);
  private final List<UarPage> pages = new ArrayList<>();
  private final List<Integer> woken = new ArrayList<>();

  /** A send queue, and the work that it wakes. */
  private class Ringer implements Ringable {
    private final int number;
    private final UarPage page;
    private final LoneSendQueue ring;
    private int receives;

    Ringer(UarPage page) {
      this.page = page;
      number = all.allocate();
      ring = new LoneSendQueue(chip, number, 4);
      all.put(number, this);
      doorbells.add(this, page);
    }

    /** Writes the record, without ringing. */
    Ringer write(int producer) {
      ring.setRecord(producer);
      return this;
    }

    /** Writes a register of its page. */
    void ring(int buffer, int index) {
      long first = ControlSegment.first(0, index, WqeOpcode.SEND, number, 1);
      Memory.putLong(ring.at(index, 0), first);
      Memory.putLong(page.address() + Uar.BLUEFLAME + 256L * buffer, first);
    }

    @Override
    public int number() {
      return number;
    }

    @Override
    public int receives() {
      return receives;
    }

    @Override
    public String whyDisabled() {
      return "";
    }

    @Override
    public int uarPage() {
      return page.number();
    }

    @Override
    public SendQueue sendQueue() {
      return ring.queue();
    }

    @Override
    public void wake() {
      woken.add(number);
    }
  }

  private Client owner = engine.own();

  private UarPage page() {
    return page(owner);
  }

  private UarPage page(Client client) {
    UarPage page = new UarPage(pages.size() + 5);
    pages.add(page);
    doorbells.add(page, client);
    return page;
  }

  /** One step of the device: reads the registers and gives sweeps their turns. */
  private int step() {
    int found = doorbells.poll();
    return found + engine.step();
  }

  private void settle() {
    while (step() > 0) {
      // Ends the sweeps.
    }
  }

  private List<Integer> takeWoken() {
    List<Integer> taken = List.copyOf(woken);
    woken.clear();
    return taken;
  }

  private static long register(UarPage page, int buffer) {
    return Memory.getLong(page.address() + Uar.BLUEFLAME + 256L * buffer);
  }

  // ---- send doorbells

  @AfterEach
  void hear() {
    Heard.addAll(chip.explained());
  }

  @Test
  void aSilencedPageIsPolledOnceMoreAndThenNever() {
    UarPage page = page();
    UarPage other = page();
    Ringer before = new Ringer(page).write(1);
    before.ring(0, 0);
    doorbells.silence(page);
    assertThat(woken).contains(before.number());
    woken.clear();
    before.write(2).ring(0, 1);
    for (int i = 0; i < 100; i++) {
      int unused = doorbells.poll() + doorbells.pollThoroughly();
    }
    assertThat(woken).isEmpty();
    assertThat(doorbells.isEmpty()).isFalse();
    doorbells.silence(other);
    doorbells.silence(other);
    assertThat(doorbells.isEmpty()).as("nothing to look at").isTrue();
    assertThat(doorbells.poll() + doorbells.pollThoroughly()).isZero();
    doorbells.remove(page);
    doorbells.remove(other);
  }

  @Test
  void aRecordWithoutADoorbellWakesNoQueue() {
    new Ringer(page()).write(1);
    assertThat(doorbells.poll()).isZero();
    assertThat(takeWoken()).isEmpty();
  }

  @Test
  void aDoorbellStartsTheQueueThatItNames() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    a.ring(0, 0);
    assertThat(doorbells.poll()).isEqualTo(1);
    assertThat(takeWoken()).containsExactly(a.number());
    assertThat(a.sendQueue().producer()).isEqualTo(1);
    assertThat(register(page, 0)).isEqualTo(UarPage.IDLE);
    assertThat(doorbells.poll()).isZero();
    assertThat(chip.recorded()).containsExactly("QP 0x1 doorbell, producer index 1");
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void everyBufferOfThePageIsLookedAt() {
    UarPage page = page();
    Ringer a = new Ringer(page);
    for (int buffer = 0; buffer < UarPage.BUFFERS; buffer++) {
      a.write(buffer + 1).ring(buffer, buffer);
      assertThat(doorbells.poll()).as("buffer %d", buffer).isEqualTo(1);
      assertThat(takeWoken()).containsExactly(1);
      assertThat(register(page, buffer)).isEqualTo(UarPage.IDLE);
    }
    assertThat(UarPage.BUFFERS).isEqualTo(4);
  }

  @Test
  void aDoorbellWithoutNewRequestsWakesNoQueue() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    a.ring(0, 0);
    doorbells.poll();
    takeWoken();
    a.ring(0, 0);
    assertThat(doorbells.poll()).isEqualTo(1);
    assertThat(takeWoken()).isEmpty();
  }

  @Test
  void aDoorbellThatRingsAfterASweepIsSeenBeforeTheDeviceRests() {
    UarPage swept = new Ringer(page()).page;
    List<Ringer> others = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      others.add(new Ringer(page()));
    }
    for (Ringer other : others) {
      // Until the engine takes a step, the device finds something to sweep again and again.
      Memory.putLong(swept.address() + Uar.BLUEFLAME, 0);
      for (int round = 0; round < 2; round++) {
        assertThat(doorbells.pollThoroughly()).isPositive();
        engine.step();
      }
      other.write(1).ring(0, 0);
      while (doorbells.pollThoroughly() + engine.step() > 0) {
        // It does not rest yet.
      }
      assertThat(takeWoken()).containsExactly(other.number());
    }
  }

  @Test
  void aDoorbellOfAnUnknownQueuePairIsExplained() {
    UarPage page = page();
    new Ringer(page);
    Memory.putLong(
        page.address() + Uar.BLUEFLAME, ControlSegment.first(0, 0, WqeOpcode.SEND, 0x77, 1));
    settle();
    assertThat(chip.explained())
        .containsExactly(
            "a send doorbell on UAR page 5 names QP 0x77 (qpn in bytes 4–6), which this client does"
                + " not have. The device ignores the value 0x0000000a00007701, as a card would, and"
                + " then looks for doorbells that this value may have overwritten");
  }

  @Test
  void aSendCounterThatWasWrittenForReceivesIsFound() {
    Ringer a = new Ringer(page());
    a.receives = 1;
    a.ring(0, 0);
    doorbells.poll();
    assertThat(chip.explained())
        .singleElement()
        .asString()
        .endsWith(
            "is 0; write it there before the doorbell. The receive counter (bytes 0–3) counts 1:"
                + " was the send counter written there?");
  }

  @Test
  void aDoorbellWhoseHalvesAreSwappedIsExplained() {
    UarPage page = page();
    Ringer a = new Ringer(page);
    long doorbell = ControlSegment.first(0, 0, WqeOpcode.SEND, a.number(), 1);
    Memory.putLong(page.address() + Uar.BLUEFLAME, Long.rotateLeft(doorbell, Integer.SIZE));
    settle();
    assertThat(chip.explained())
        .singleElement()
        .asString()
        .contains("names QP 0x0 (qpn in bytes 4–6), which this client does not have")
        .contains(
            ": its halves are swapped, because bytes 0–2 are the number of QP 0x%x. Write the first 8 bytes of the WQE as they are, with opcode and wqe_index first"
                .formatted(a.number()));
  }

  @Test
  void aDoorbellOnAnotherPageIsExplained() {
    Ringer a = new Ringer(page()).write(1);
    UarPage other = page();
    Memory.putLong(
        other.address() + Uar.BLUEFLAME, ControlSegment.first(0, 0, WqeOpcode.SEND, a.number(), 1));
    doorbells.poll();
    assertThat(takeWoken()).isEmpty();
    assertThat(chip.explained().getFirst())
        .startsWith("a send doorbell on UAR page 6 names QP 0x1")
        .contains("created with another uar_page");
  }

  @Test
  void aDoorbellThatNamesAnotherClientsQueuePairDoesNotRevealThatItExists() {
    Ringer theirs = new Ringer(page(engine.open()));
    UarPage own = page();
    for (int qpn : new int[] {theirs.number(), 0x77}) {
      Memory.putLong(
          own.address() + Uar.BLUEFLAME, ControlSegment.first(0, 0, WqeOpcode.SEND, qpn, 1));
      settle();
    }
    assertThat(chip.explained())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("which this client does not have. The"));
  }

  @Test
  void aDoorbellBeforeItsRecordIsExplained() {
    Ringer a = new Ringer(page());
    a.ring(0, 3);
    doorbells.poll();
    assertThat(takeWoken()).isEmpty();
    assertThat(chip.explained())
        .containsExactly(
            "a doorbell of QP 0x1 names WQE 3, but the send counter of its doorbell record (bytes"
                + " 4–7) is 0; write it there before the doorbell");
  }

  @Test
  void aRecordInTheWrongByteOrderIsRecognised() {
    Ringer a = new Ringer(page());
    a.ring.setWord(Integer.reverseBytes(4));
    a.ring(0, 3);
    doorbells.poll();
    assertThat(takeWoken()).isEmpty();
    assertThat(chip.explained())
        .containsExactly(
            "a doorbell of QP 0x1 names WQE 3, but the send counter of its doorbell record (bytes"
                + " 4–7) is 0: its bytes are in the wrong order: 0x4000000 reversed is 4, and the"
                + " counters of a doorbell record are big-endian (htobe32)");
  }

  @Test
  void aRecordThatIsWrongInBothByteOrdersIsNotCalledReversed() {
    Ringer a = new Ringer(page());
    a.ring.setWord(Integer.reverseBytes(17));
    a.ring(0, 3);
    doorbells.poll();
    assertThat(chip.explained()).singleElement().asString().endsWith("before the doorbell");
  }

  @Test
  void aDoorbellOutsideTheRingIsNotExplainedAsBeforeItsRecord() {
    Ringer a = new Ringer(page());
    a.ring(0, 16);
    doorbells.poll();
    a.ring(0, 0xffff);
    doorbells.poll();
    assertThat(chip.explained()).isEmpty();
    a.ring(0, 15);
    doorbells.poll();
    assertThat(chip.explained()).hasSize(1);
  }

  @Test
  void aDoorbellAheadOfItsRecordIsNotExplainedWhileRequestsArePending() {
    Ringer a = new Ringer(page()).write(2);
    a.ring(0, 2);
    doorbells.poll();
    assertThat(takeWoken()).hasSize(1);
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void aQueuePairWithoutSendQueueThatRingsIsExplained() {
    UarPage page = page();
    int number = all.allocate();
    SendQueue none = SendQueue.none(number, chip.memory(64).umem());
    Ringer ringer =
        new Ringer(page) {
          @Override
          public SendQueue sendQueue() {
            return none;
          }
        };
    ringer.ring(0, 0);
    doorbells.poll();
    assertThat(chip.explained())
        .containsExactly(
            "a doorbell of QP 0x2 rang, but it was created without a send queue (no_sq)");
  }

  @Test
  void theDistanceOfADoorbellIsCountedFromTheRecord() {
    UarPage page = page();
    Ringer a = new Ringer(page);
    a.ring.startAt(10);
    a.ring(0, 12);
    doorbells.poll();
    assertThat(chip.explained())
        .containsExactly(
            "a doorbell of QP 0x1 names WQE 12, but the send counter of its doorbell record (bytes"
                + " 4–7) is 10; write it there before the doorbell");
    a.ring(0, 9);
    doorbells.poll();
    assertThat(chip.explained()).hasSize(1);
  }

  @Test
  void aWriteBehindTheBuffersIsNotADoorbell() {
    Ringer a = new Ringer(page()).write(1);
    a.ring(UarPage.BUFFERS, 0);
    assertThat(doorbells.poll()).isZero();
  }

  // ---- the sweep

  @Test
  void otherQueuesOfASharedPageAreLookedAtTwice() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    a.ring(0, 0);
    step();
    assertThat(takeWoken()).containsExactly(a.number());
    step();
    assertThat(takeWoken()).containsExactly(b.number());
    assertThat(step()).isZero();
    assertThat(chip.explained())
        .containsExactly(
            "QP 0x2 got new requests (send counter 1) whose own doorbell was not seen; they were"
                + " started because a doorbell of another queue pair rang on a register of UAR page"
                + " 5 that they may share (1 time so far). A card does not start requests that are"
                + " not rung; if every post rings its own doorbell, one write replaced another in"
                + " the register, which is harmless");
    assertThat(chip.recorded()).last().isEqualTo("QP 0x2 doorbell, producer index 1");
  }

  @Test
  void onlySomeOfManySweptQueuesAreExplained() {
    UarPage page = page();
    Ringer rung = new Ringer(page).write(1);
    for (int i = 0; i < 64; i++) {
      Ringer unused = new Ringer(page).write(1);
    }
    rung.ring(0, 0);
    settle();
    assertThat(chip.explained())
        .extracting(line -> line.replaceAll(".*\\((\\d+) times? so far.*", "$1"))
        .containsExactly("1", "8", "64");
  }

  @Test
  void aQueueThatRingsInTimeIsNotSwept() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    a.ring(0, 0);
    step();
    b.ring(0, 0);
    step();
    assertThat(takeWoken()).containsExactly(a.number(), b.number());
    settle();
    assertThat(b.sendQueue().sweeps()).isZero();
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void aLonelyQueueIsNotSwept() {
    Ringer a = new Ringer(page()).write(1);
    a.ring(0, 0);
    assertThat(doorbells.poll()).isEqualTo(1);
    assertThat(doorbells.poll()).isZero();
  }

  @Test
  void aQueueOfAnotherRegisterIsNotSwept() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    b.ring(2, 0);
    settle();
    takeWoken();
    b.write(2);
    a.write(2).ring(1, 1);
    settle();
    assertThat(takeWoken()).containsExactly(a.number());
  }

  @Test
  void aSweepCoversBothBuffersOfARegister() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    b.ring(2, 0);
    a.ring(3, 0);
    settle();
    takeWoken();
    b.write(2);
    a.write(2).ring(3, 1);
    settle();
    assertThat(takeWoken()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void removingAPageLeavesTheSweepsOfOthers() {
    UarPage page = page();
    UarPage other = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    a.ring(0, 0);
    step();
    doorbells.remove(other);
    step();
    assertThat(takeWoken()).containsExactly(a.number(), b.number());
  }

  @Test
  void registersThatRingDuringASweepAreSweptToo() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    Ringer c = new Ringer(page).write(1);
    a.ring(0, 0);
    b.ring(2, 0);
    c.ring(1, 0);
    settle();
    takeWoken();
    // No doorbell of c was seen, and it shares the register of a, which rings before b does on the
    // other one.
    c.write(2);
    a.write(2).ring(0, 1);
    step();
    b.write(2).ring(2, 1);
    settle();
    assertThat(takeWoken()).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void aSweepLooksAtAllQueuesOnceBeforeTheRegistersAreReadAgain() {
    UarPage page = page();
    List<Ringer> ringers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      ringers.add(new Ringer(page).write(1));
    }
    ringers.getFirst().ring(0, 0);
    step();
    engine.step();
    assertThat(takeWoken()).hasSize(1);
    step();
    assertThat(takeWoken()).hasSize(499).doesNotHaveDuplicates();
    assertThat(step()).isZero();
  }

  @Test
  void sweptQueuesAreExplainedAtPowersOfEight() {
    UarPage page = page();
    Ringer a = new Ringer(page);
    Ringer b = new Ringer(page);
    for (int i = 1; i <= 9; i++) {
      b.write(i);
      a.write(i).ring(0, i - 1);
      settle();
    }
    assertThat(b.sendQueue().sweeps()).isEqualTo(9);
    assertThat(chip.explained()).hasSize(2);
    assertThat(chip.explained().getLast()).contains("(8 times so far)");
  }

  @Test
  void aQueueThatIsGoneIsNotSwept() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    a.ring(0, 0);
    doorbells.remove(b, page);
    settle();
    assertThat(takeWoken()).containsExactly(a.number());
  }

  @Test
  void aSweepEndsWhenAllQueuesAreGone() {
    UarPage page = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    a.ring(0, 0);
    step();
    doorbells.remove(a, page);
    doorbells.remove(b, page);
    step();
    assertThat(step()).isZero();
    assertThat(takeWoken()).containsExactly(a.number());
  }

  // ---- completion queues

  private final class Armed {
    private final LoneMemory memory = chip.memory(4096);
    private final CompletionQueue queue;

    Armed(UarPage page, int number) {
      byte[] context = View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, 2).bytes();
      queue = new CompletionQueue(chip.chip(), number, context, memory.queue(0, 1024));
      doorbells.add(queue, page);
    }

    Armed write(int command) {
      Memory.putInt(memory.address(1024) + DoorbellRecord.CQ_ARM, command);
      return this;
    }

    boolean isArmed() {
      return queue.toString().endsWith(", armed");
    }
  }

  private static void ringCq(UarPage page, int command, int cqn) {
    Memory.putLong(page.address() + Uar.CQ_DOORBELL, CqArm.register(command, cqn));
  }

  @Test
  void aCqDoorbellArmsTheQueueThatItNames() {
    UarPage page = page();
    Armed a = new Armed(page, FIRST_CQN).write(5);
    ringCq(page, 5, FIRST_CQN);
    doorbells.poll();
    assertThat(a.isArmed()).isTrue();
    settle();
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void aCqDoorbellArmsQueuesWhoseDoorbellItMayHaveOverwritten() {
    UarPage page = page();
    Armed a = new Armed(page, FIRST_CQN).write(5);
    Armed b = new Armed(page, FIRST_CQN + 1).write(6);
    Armed elsewhere = new Armed(page(), FIRST_CQN + 2).write(7);
    ringCq(page, 6, FIRST_CQN + 1);
    step();
    assertThat(a.isArmed()).isTrue();
    assertThat(b.isArmed()).isTrue();
    assertThat(elsewhere.isArmed()).isFalse();
  }

  @Test
  void aCqDoorbellIsFollowedByALookAtAllOthers() {
    UarPage page = page();
    List<Armed> others = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      others.add(new Armed(page, FIRST_CQN + i).write(5));
    }
    ringCq(page, 5, FIRST_CQN);
    step();
    assertThat(others).allMatch(Armed::isArmed);
    assertThat(step()).isZero();
  }

  @Test
  void removingACompletionQueueRestartsTheLookAtTheOthers() {
    UarPage page = page();
    List<Armed> others = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      others.add(new Armed(page, FIRST_CQN + i).write(5));
    }
    ringCq(page, 5, FIRST_CQN);
    // A page without a turn so far has looked at no queue; a page that had a turn, at some.
    doorbells.poll();
    doorbells.remove(others.removeFirst().queue, page);
    settle();
    assertThat(others).allMatch(Armed::isArmed);
  }

  @Test
  void aCqDoorbellOfAnUnknownQueueIsExplained() {
    UarPage page = page();
    Armed a = new Armed(page, FIRST_CQN);
    doorbells.remove(a.queue, page);
    ringCq(page, 5, FIRST_CQN);
    assertThat(doorbells.poll()).isEqualTo(1);
    assertThat(a.isArmed()).isFalse();
    assertThat(chip.explained())
        .containsExactly(
            "a CQ doorbell on UAR page 5 names CQ 0x80, but no such CQ was created with that"
                + " uar_page; it is ignored");
  }

  // ---- pages

  @Test
  void pagesThatRangLatelyAreLookedAtInEveryStep() {
    for (int i = 0; i < 40; i++) {
      page();
    }
    Ringer a = new Ringer(pages.get(30)).write(1);
    a.ring(0, 0);
    int steps = 0;
    while (takeWoken().isEmpty()) {
      doorbells.poll();
      steps++;
    }
    assertThat(steps).as("pages 1 to 8, 9 to 16, 17 to 24, 25 to 32").isEqualTo(4);
    for (int i = 2; i < 10; i++) {
      a.write(i).ring(0, i - 1);
      assertThat(doorbells.poll()).isEqualTo(1);
      assertThat(takeWoken()).hasSize(1);
    }
  }

  /** Steps until a doorbell on a page is taken, while another page may ring in each of them. */
  private int stepsUntilTaken(Ringer cold, boolean busy) {
    Ringer hot = new Ringer(pages.getFirst()).write(1);
    hot.ring(0, 0);
    doorbells.pollThoroughly();
    int rings = 1;
    for (int i = 0; i < 100; i++) {
      if (busy) {
        hot.write(++rings & 0xff).ring(rings & 1, rings - 1 & 0xff);
      }
      doorbells.poll();
    }
    takeWoken();
    cold.write(1).ring(0, 0);
    for (int steps = 1; ; steps++) {
      if (busy) {
        hot.write(++rings & 0xff).ring(rings & 1, rings - 1 & 0xff);
      }
      doorbells.poll();
      if (takeWoken().contains(cold.number())) {
        return steps;
      }
    }
  }

  @Test
  void withoutDoorbellsAStepPollsEightPages() {
    for (int i = 0; i < 80; i++) {
      page();
    }
    assertThat(stepsUntilTaken(new Ringer(pages.get(79)), false)).isBetween(1, 10);
  }

  @Test
  void whileOnePageRingsAStepLooksAtOneOtherAndFindsEachInItsTurn() {
    for (int i = 0; i < 80; i++) {
      page();
    }
    Ringer cold = new Ringer(pages.get(79));
    assertThat(stepsUntilTaken(cold, true)).isBetween(11, 80);
    // Other pages may ring now, too.
    Ringer next = new Ringer(pages.get(78)).write(1);
    next.ring(0, 0);
    for (int step = 0; step < 10; step++) {
      doorbells.poll();
    }
    assertThat(takeWoken()).containsExactly(next.number());
  }

  @Test
  void whileOnePageRingsAStepStillPollsOnePageOfEachClient() {
    for (int i = 0; i < 80; i++) {
      page();
    }
    List<Ringer> single = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      owner = engine.open();
      single.add(new Ringer(page()));
    }
    for (Ringer ringer : single) {
      assertThat(stepsUntilTaken(ringer, true)).isEqualTo(1);
    }
  }

  @Test
  void fourPagesAreHotAndTheOldestGivesWay() {
    for (int i = 0; i < 60; i++) {
      page();
    }
    List<Ringer> ringers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Ringer ringer = new Ringer(pages.get(50 + i)).write(1);
      ringers.add(ringer);
      ringer.ring(0, 0);
      doorbells.pollThoroughly();
    }
    assertThat(takeWoken()).hasSize(5);
    for (Ringer ringer : ringers) {
      ringer.write(2).ring(0, 1);
    }
    // The rotation is far from them all: it ended at page 0.
    assertThat(doorbells.poll()).isEqualTo(4);
    assertThat(takeWoken()).containsExactlyInAnyOrder(2, 3, 4, 5);
  }

  @Test
  void aClientWithManyPagesDoesNotDelayAnotherClient() {
    for (int i = 0; i < 1000; i++) {
      page();
    }
    owner = engine.open();
    Ringer a = new Ringer(page()).write(1);
    a.ring(0, 0);
    doorbells.poll();
    assertThat(takeWoken()).containsExactly(a.number());
  }

  @Test
  void oneClientDoesNotKeepThePagesOfOthersFromBeingHot() {
    for (int i = 0; i < 60; i++) {
      page();
    }
    owner = engine.open();
    for (int i = 0; i < 60; i++) {
      page();
    }
    Ringer other = new Ringer(pages.get(90)).write(1);
    other.ring(0, 0);
    doorbells.pollThoroughly();
    for (int i = 0; i < 10; i++) {
      new Ringer(pages.get(40 + i)).write(1).ring(0, 0);
      doorbells.pollThoroughly();
    }
    takeWoken();
    other.write(2).ring(0, 1);
    doorbells.poll();
    assertThat(takeWoken()).containsExactly(other.number());
  }

  @Test
  void aThoroughPollLooksAtAllPages() {
    for (int i = 0; i < 100; i++) {
      page();
    }
    new Ringer(pages.get(99)).write(1).ring(0, 0);
    new Ringer(pages.get(98)).write(1).ring(0, 0);
    assertThat(doorbells.pollThoroughly()).isEqualTo(2);
    assertThat(takeWoken()).hasSize(2);
  }

  @Test
  void onePageCanBePolledAtOnce() {
    for (int i = 0; i < 100; i++) {
      page();
    }
    Ringer a = new Ringer(pages.get(70)).write(1);
    a.ring(0, 0);
    doorbells.poll(pages.get(70));
    assertThat(takeWoken()).containsExactly(a.number());
  }

  @Test
  void aPageThatIsGoneIsLookedAtNoMore() {
    UarPage page = page();
    UarPage other = page();
    Ringer a = new Ringer(page).write(1);
    Ringer b = new Ringer(page).write(1);
    a.ring(0, 0);
    doorbells.poll();
    takeWoken();
    doorbells.remove(page);
    assertThat(doorbells.isEmpty()).isFalse();
    b.ring(0, 0);
    assertThat(doorbells.poll()).isZero();
    assertThat(doorbells.pollThoroughly()).isZero();
    assertThat(takeWoken()).isEmpty();
    doorbells.remove(other);
    assertThat(doorbells.isEmpty()).isTrue();
    assertThat(doorbells.poll()).isZero();
    assertThatThrownBy(() -> doorbells.poll(page))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("UAR page 5 is not on this device");
  }

  @Test
  void aPageCountsItsUsers() {
    UarPage page = page();
    page.use(1);
    page.use(1);
    page.use(-1);
    assertThat(page.users()).isEqualTo(1);
    assertThat(page.number()).isEqualTo(5);
  }

  @Test
  void fiftyQueuesOnOnePageAllStart() {
    UarPage page = page();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Ringer ringer = new Ringer(page);
      ringer.ring.post(Wqe.nop());
      ringer.ring.queue().reset();
      ringer.ring(i & 3, 0);
      numbers.add(ringer.number());
    }
    settle();
    assertThat(takeWoken()).containsExactlyInAnyOrderElementsOf(numbers);
  }
}
