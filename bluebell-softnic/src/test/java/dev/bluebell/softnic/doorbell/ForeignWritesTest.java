package dev.bluebell.softnic.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.CqMemory;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.LoneSendQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients ring on pages to which all kinds of other values are written, too: no rung request is
 * lost, and no other client pays for it.
 */
class ForeignWritesTest {
  private static final int EVENTS = 4000;
  private static final int FIRST_CQN = 0x80;
  private static final int LOG_RING = 4;

  private final LoneChip chip = new LoneChip();
  private final Engine engine = new Engine(() -> 0, new DeviceTime(), null);
  private final ObjectTable<Sends> all = new ObjectTable<>(1, 1 << 16);
  private Doorbells doorbells = doorbells(false);
  private final List<Page> pages = new ArrayList<>();
  private Random random = new Random(0);
  private boolean strict;
  private int lastCqn = FIRST_CQN;

  private Doorbells doorbells(boolean strictly) {
    return new Doorbells(all, chip.recorder(), chip.chip().explanations(), engine, strictly, null);
  }

  // ---- the model

  private final class Page {
    private final UarPage uar = new UarPage(pages.size() + 1);
    private final List<Sends> sends = new ArrayList<>();
    private final List<Completions> completions = new ArrayList<>();

    // Whether its driver rings on a different register each time.
    private boolean roams;

    Page(Client client) {
      doorbells.add(uar, client);
      pages.add(this);
    }

    long at(long offset) {
      return uar.address() + offset;
    }
  }

  /** A send queue, and the index up to which it was rung. */
  private final class Sends implements Ringable {
    private final Page page;
    private final int number = all.allocate();
    private final LoneSendQueue ring = new LoneSendQueue(chip, number, LOG_RING);
    private int register;
    private int buffer;
    private int posted;
    private int rung;
    private int looks;

    /**
     * @param register on which its driver rings
     */
    Sends(Page page, int register) {
      this.page = page;
      this.register = register;
      all.put(number, this);
      page.sends.add(this);
      doorbells.add(this, page.uar);
    }

    void close() {
      all.remove(number);
      page.sends.remove(this);
      doorbells.remove(this, page.uar);
    }

    long first(int index) {
      return ControlSegment.first(0, index, WqeOpcode.SEND, number, 1);
    }

    void post() {
      Memory.putLong(ring.at(posted, 0), first(posted & 0xffff));
      ring.setRecord(++posted);
    }

    /** Rings for all posted requests; alternates between the buffers of its register. */
    void ring(boolean byBytes) {
      if (page.roams) {
        register = random.nextInt(Uar.BLUEFLAME_REGISTERS);
      }
      rung = posted;
      long first = first(posted - 1 & 0xffff);
      long at =
          page.at(
              Uar.BLUEFLAME
                  + (long) register * Uar.BLUEFLAME_REGISTER_BYTES
                  + (long) buffer * Uar.BLUEFLAME_BUFFER_BYTES);
      buffer ^= 1;
      if (byBytes) {
        putBytes(at, first);
      } else {
        Memory.putLong(at, first);
      }
    }

    boolean isServed() {
      return (short) (ring.queue().producer() - rung) >= 0;
    }

    @Override
    public int number() {
      return number;
    }

    @Override
    public int uarPage() {
      return page.uar.number();
    }

    @Override
    public SendQueue sendQueue() {
      looks++;
      return ring.queue();
    }

    @Override
    public int receives() {
      return 0;
    }

    @Override
    public String whyDisabled() {
      return "";
    }

    @Override
    public void wake() {}

    @Override
    public String toString() {
      return "QP 0x%x on page %d: rung for %d, the device knows %d"
          .formatted(number, page.uar.number(), rung & 0xffff, ring.queue().producer());
    }
  }

  /** A completion queue, and whether it was armed. */
  private final class Completions {
    private final Page page;
    private final int number = lastCqn++;
    private final LoneMemory memory = chip.memory(4096);
    private final CompletionQueue queue;
    private int produced;
    private int events;
    private boolean armed;

    Completions(Page page) {
      this.page = page;
      byte[] context = View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, 2).bytes();
      queue =
          new CompletionQueue(
              chip.chip(),
              number,
              context,
              new CqMemory(memory.umem(), memory.address(0), memory.umem(), record()));
      page.completions.add(this);
      doorbells.add(queue, page.uar);
    }

    private long record() {
      return memory.address(1024);
    }

    void close() {
      page.completions.remove(this);
      doorbells.remove(queue, page.uar);
    }

    void arm() {
      int command = CqArm.record(events, false, produced);
      Memory.putInt(record() + DoorbellRecord.CQ_ARM, command);
      Memory.putLong(page.at(Uar.CQ_DOORBELL), CqArm.register(command, number));
      armed = true;
    }

    /** Writes a completion, which raises an event when the queue is armed. */
    void complete() {
      Memory.putInt(record() + DoorbellRecord.CQ_SET_CI, produced & 0xffffff);
      produced++;
      queue.completeRequest(1, 1, WqeOpcode.SEND, 0, 0);
      events += chip.takeEvents().size();
      armed = false;
    }

    boolean isServed() {
      return !armed || queue.toString().endsWith(", armed");
    }

    @Override
    public String toString() {
      return queue + " on page " + page.uar.number();
    }
  }

  // ---- what happens

  private void putBytes(long at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      Memory.putByte(at + i, (byte) (value >>> Long.SIZE - Byte.SIZE - Byte.SIZE * i));
      if (random.nextInt(8) == 0) {
        runDevice();
      }
    }
  }

  private void runDevice() {
    switch (random.nextInt(4)) {
      case 0 -> doorbells.pollThoroughly();
      case 1 -> engine.step();
      default -> {
        doorbells.poll();
        engine.step();
      }
    }
  }

  private void settle() {
    while (doorbells.pollThoroughly() + engine.step() > 0) {
      // There was something to do.
    }
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** A value that no driver of a send queue would write to this page now. */
  private long foreign(Page page, long before) {
    return switch (random.nextInt(9)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> random.nextLong();
      case 3 -> before;
      case 4 -> before + 1;
      // A receive WQE: its length, and a key.
      case 5 -> 64L << Integer.SIZE | 0x1000 + random.nextInt(64);
      // The next-segment of a receive pool.
      case 6 -> (long) random.nextInt(8) << Integer.SIZE;
      // Another page's queue, of this client or of the other one.
      case 7 -> any(any(pages).sends).first(random.nextInt(1 << 16)) ^ 1;
      default -> any(page.sends).first(random.nextInt(1 << 16)) ^ 1;
    };
  }

  private void writeForeign() {
    Page page = any(pages);
    int buffer = random.nextInt(UarPage.BUFFERS + 1);
    long at =
        page.at(
            buffer == UarPage.BUFFERS
                ? Uar.CQ_DOORBELL
                : Uar.BLUEFLAME + (long) buffer * Uar.BLUEFLAME_BUFFER_BYTES);
    long value = foreign(page, Memory.getLong(at));
    if (buffer == UarPage.BUFFERS && CqArm.isCommand(value)) {
      // An arm command that names no queue of this page; otherwise it would arm one.
      value = value & ~0xffffffL | 0xffff;
    }
    switch (random.nextInt(4)) {
      case 0 -> putForeignByte(page, at, (byte) value);
      case 1 -> putBytes(at, value);
      case 2 -> {
        for (int i = 56; i >= 0 && buffer < UarPage.BUFFERS; i -= 8) {
          Memory.putLong(at + i, value);
        }
      }
      default -> Memory.putLong(at, value);
    }
  }

  /** Changes a byte of a register, unless that makes another doorbell of one. */
  private void putForeignByte(Page page, long at, byte value) {
    long byteAt = at + random.nextInt(Long.BYTES);
    byte before = Memory.getByte(byteAt);
    Memory.putByte(byteAt, value);
    if (value != before && isDoorbell(page, Memory.getLong(at))) {
      Memory.putByte(byteAt, before);
    }
  }

  private static boolean isDoorbell(Page page, long value) {
    return page.sends.stream().anyMatch(sends -> sends.ring.queue().isPosted(value))
        || CqArm.isCommand(value)
            && page.completions.stream().anyMatch(each -> each.number == CqArm.cqn(value));
  }

  /** Lets the device see that a driver of the page changes its registers. */
  private void roam(Page page) {
    Sends first = page.sends.get(0);
    for (int register = 0; register < Uar.BLUEFLAME_REGISTERS; register++) {
      first.register = register;
      first.post();
      first.ring(false);
      settle();
    }
    page.roams = true;
  }

  private int registerOf(Page page) {
    // A strict device does not make up for overwritten doorbells.
    return strict ? page.sends.size() : random.nextInt(Uar.BLUEFLAME_REGISTERS);
  }

  private void comeAndGo() {
    Page page = any(pages);
    if (random.nextBoolean()) {
      if (page.completions.size() > 1) {
        any(page.completions).close();
      }
      new Completions(page);
    } else if (!strict) {
      if (page.sends.size() > 1 && random.nextBoolean()) {
        any(page.sends).close();
      } else {
        new Sends(page, registerOf(page));
      }
    }
  }

  private void happen() {
    Sends sends = any(any(pages).sends);
    Completions completions = any(any(pages).completions);
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        sends.post();
        sends.ring(random.nextInt(8) == 0);
      }
      // Posts and forgets to ring.
      case 2 -> sends.post();
      case 3, 4, 5 -> writeForeign();
      case 6 -> {
        if (completions.armed && random.nextBoolean()) {
          settle();
          completions.complete();
        } else if (!completions.armed) {
          completions.arm();
        }
      }
      case 7 -> {
        if (random.nextInt(20) == 0) {
          comeAndGo();
        }
      }
      default -> runDevice();
    }
  }

  private void check(Object context) {
    settle();
    for (Page page : pages) {
      assertThat(page.sends).as("%s", context).allMatch(Sends::isServed);
      assertThat(page.completions).as("%s", context).allMatch(Completions::isServed);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, Integer.getInteger("bluebell.foreign.seeds", 40));
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("seeds")
  void foreignWritesLoseNoDoorbell(long seed) {
    random = new Random(seed);
    strict = (seed & 1) != 0;
    doorbells = doorbells(strict);
    Client one = engine.open();
    Client other = engine.open();
    for (Client client : new Client[] {one, one, other}) {
      Page page = new Page(client);
      int count = 1 + random.nextInt(strict ? Uar.BLUEFLAME_REGISTERS : 40);
      for (int i = 0; i < count; i++) {
        new Sends(page, registerOf(page));
      }
      for (int i = random.nextInt(40); i >= 0; i--) {
        new Completions(page);
      }
      if (!strict && page.sends.size() > 1 && random.nextBoolean()) {
        roam(page);
      }
    }
    for (int event = 0; event < EVENTS; event++) {
      happen();
      if (random.nextInt(20) == 0) {
        check("seed %d, event %d".formatted(seed, event));
      }
    }
    check("seed %d, at the end".formatted(seed));
  }

  // ---- single cases

  @Test
  void aCompletionQueueThatIsCreatedBetweenAForeignValueAndItsSweepHidesNoOther() {
    Page page = new Page(engine.own());
    Completions armed = new Completions(page);
    armed.arm();
    Memory.putLong(page.at(Uar.CQ_DOORBELL), -1);
    doorbells.poll();
    assertThat(new Completions(page)).matches(Completions::isServed);
    settle();
    assertThat(armed).matches(Completions::isServed);
  }

  private static long register(Page page, int buffer) {
    return page.at(Uar.BLUEFLAME + (long) buffer * Uar.BLUEFLAME_BUFFER_BYTES);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 0x40_0000_1000L, 1L << 32, 0x7777_7777_7777_7777L})
  void aForeignValueOverADoorbellOfTheOnlyQueueLosesNothing(long value) {
    Page page = new Page(engine.own());
    Sends sends = new Sends(page, 0);
    sends.post();
    sends.ring(false);
    Memory.putLong(register(page, 0), value);
    check(value);
  }

  @Test
  void aForeignValueOnOneRegisterLosesNothingOfAQueueThatRangOnTheOther() {
    Page page = new Page(engine.own());
    Sends a = new Sends(page, 0);
    Sends b = new Sends(page, 1);
    for (Sends each : List.of(a, b)) {
      each.post();
      each.ring(false);
      settle();
    }
    // A driver of b that rings on register 0 this once, and is overwritten.
    b.post();
    b.rung = b.posted;
    Memory.putLong(register(page, 0), b.first(b.posted - 1));
    Memory.putLong(register(page, 0), 0x40_0000_1000L);
    check("b");
  }

  @Test
  void aValueThatNamesAnUnpostedRequestIsNotADoorbell() {
    Page page = new Page(engine.own());
    Sends a = new Sends(page, 0);
    Sends b = new Sends(page, 1);
    // It names request 7 of b, which b never posted, so the register on which b rings is unknown.
    Memory.putLong(register(page, 1), b.first(7));
    settle();
    a.post();
    a.ring(false);
    b.post();
    Memory.putLong(register(page, 0), b.first(0));
    check("a");
  }

  @Test
  void aPageThatWasNotWrittenCostsNoLooks() {
    Page page = new Page(engine.own());
    Sends a = new Sends(page, 0);
    Sends b = new Sends(page, 0);
    settle();
    for (int i = 0; i < 100; i++) {
      assertThat(doorbells.poll()).isZero();
      assertThat(engine.step()).isZero();
    }
    assertThat(a.looks + b.looks).isZero();
  }

  /** Work that always has something to do, and counts its turns. */
  private static final class Busy extends Work {
    private int turns;

    Busy(Client client) {
      belongTo(client);
    }

    @Override
    protected int turn() {
      turns++;
      return 1;
    }

    @Override
    protected void abandon(String why) {}
  }

  @Test
  void aClientThatWritesForeignValuesAllTheTimePaysForTheLooks() {
    Client greedy = engine.open();
    Client neighbour = engine.open();
    Page page = new Page(greedy);
    for (int i = 0; i < 1000; i++) {
      new Sends(page, 0).post();
    }
    Busy work = new Busy(neighbour);
    engine.activate(work);
    int steps = 200;
    for (int step = 0; step < steps; step++) {
      for (int buffer = 0; buffer < UarPage.BUFFERS; buffer++) {
        Memory.putLong(register(page, buffer), 0x40_0100_0000L + step);
      }
      int before = looks(page);
      doorbells.poll();
      assertThat(looks(page)).as("looks outside of turns").isEqualTo(before);
      engine.step();
    }
    // A step has 16 turns; each client gets half of them.
    assertThat(work.turns).isGreaterThanOrEqualTo(steps * 8 - 1);
    assertThat(looks(page)).isPositive();
  }

  private static int looks(Page page) {
    return page.sends.stream().mapToInt(sends -> sends.looks).sum();
  }

  @Test
  void aCommandLooksAtALimitedNumberOfQueuesFirst() {
    Page page = new Page(engine.own());
    for (int i = 0; i < 3000; i++) {
      new Sends(page, 0);
    }
    Memory.putLong(register(page, 0), 1);
    doorbells.poll(engine.own());
    assertThat(looks(page)).isPositive();
    assertThat(engine.step()).as("what is left for turns").isPositive();
  }

  @Test
  void aPageWithoutQueuesIsNotSwept() {
    Page page = new Page(engine.own());
    Sends sends = new Sends(page, 0);
    Memory.putLong(register(page, 0), 0);
    doorbells.poll();
    sends.close();
    settle();
    Memory.putLong(register(page, 0), 0);
    assertThat(doorbells.poll()).isEqualTo(1);
    assertThat(doorbells.poll()).isZero();
  }
}
