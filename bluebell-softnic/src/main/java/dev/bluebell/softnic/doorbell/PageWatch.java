package dev.bluebell.softnic.doorbell;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.Repeats;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.SendQueue;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A UAR page and the queues that ring on it. A doorbell names one queue, and starts its posted
 * requests. It may have overwritten another doorbell: of a queue that shares the register, or, if
 * the value is not a doorbell that the device expects there, of any queue of the page. So the
 * device sweeps the page: it looks at those queues, too.
 *
 * <p>A sweep has two rounds, and reads the registers between them: a queue that has new requests
 * may be just about to ring. It runs in turns of the page's client, a few looks each, so that a
 * thousand idle queues do not hold up a busy one, and other clients do not pay for it. The device
 * counts and explains the requests that a sweep starts: on a card no doorbell overwrites another,
 * and an unrung request does not start.
 */
final class PageWatch extends Work {
  private static final int LOOKS_PER_TURN = 32;

  /** Rounds of a sweep over the send queues. */
  private static final int ROUNDS = 2;

  private static final int ALL_REGISTERS = (1 << Uar.BLUEFLAME_REGISTERS) - 1;

  private static final int GONE_KNOWN = 16;

  /** The first stray doorbells, each of which is explained; of further ones, every 2^n-th is. */
  private static final int ALWAYS_TOLD = 64;

  private final UarPage page;
  private final ClientPages mates;
  private final ObjectTable<? extends Ringable> all;
  private final ObjectTable<Armable> armables;
  private final FlightRecorder recorder;
  private final Explanations explanations;
  private final @Nullable BufferOrder order;
  private final @Nullable DoorbellFaults faults;
  private final Roster<Ringable> sendQueues = new Roster<>();
  private final Roster<CompletionQueue> completionQueues = new Roster<>();

  // Where the next send doorbell is expected.
  private int nextBuffer;

  // The sweep: which registers were written, how many looks are left in this round, and how many
  // rounds after it. The next round begins once the registers were read again.
  private int sweptRegisters;
  private int looksLeft;
  private int roundsLeft;

  // Whether a register held a value other than an expected doorbell, which may have overwritten a
  // doorbell of any queue.
  private boolean foreign;

  // By register, the only queue whose doorbells were read during the sweep: none of them was
  // overwritten. Null when there are several.
  private final @Nullable Ringable[] seen = new Ringable[Uar.BLUEFLAME_REGISTERS];
  private int nextLook;

  // Whether a queue of the page rang on several registers: then any queue may ring on any register.
  private boolean roams;

  // The same for completion queues, whose doorbells arm them.
  private @Nullable CompletionQueue seenArmed;
  private int nextArm;
  private int armsLeft;

  // The last few queues that were removed; -1 where there is none.
  private final int[] gone = new int[GONE_KNOWN];
  private int goneCount;

  // Number of doorbells that named no queue of this page.
  private final Repeats told = new Repeats(ALWAYS_TOLD);

  // Whether the page, or a doorbell record, could not be read.
  private boolean vanished;

  /**
   * @param mates all pages of the client that owns the page
   * @param all everything that a send doorbell can name
   * @param armables everything that a CQ doorbell can name
   * @param strict true to start only rung requests, and to lose doorbells that a card may lose
   * @param faults injects lost and late doorbells; null for none
   */
  PageWatch(
      UarPage page,
      ClientPages mates,
      ObjectTable<? extends Ringable> all,
      ObjectTable<Armable> armables,
      FlightRecorder recorder,
      Explanations explanations,
      boolean strict,
      @Nullable DoorbellFaults faults) {
    belongTo(mates.client());
    this.mates = mates;
    this.faults = faults;
    order = strict ? new BufferOrder() : null;
    Arrays.fill(gone, -1);
    this.page = page;
    this.all = all;
    this.armables = armables;
    this.recorder = recorder;
    this.explanations = explanations;
  }

  UarPage page() {
    return page;
  }

  Roster<Ringable> sendQueues() {
    return sendQueues;
  }

  Roster<CompletionQueue> completionQueues() {
    return completionQueues;
  }

  /** Removes a queue that is destroyed. */
  void remove(Ringable queue) {
    sendQueues.remove(queue);
    gone[goneCount++ & GONE_KNOWN - 1] = queue.number();
  }

  private boolean isGone(int qpn) {
    for (int i = 0; i < GONE_KNOWN; i++) {
      if (gone[i] == qpn) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes a send doorbell and an arm command off the page; returns how many there were. Client
   * processes share the memory of their pages; if they truncate it, reading fails.
   */
  int poll() {
    if (vanished) {
      return 0;
    }
    try {
      return takeDoorbells();
    } catch (InternalError fault) {
      // The JVM throws this where a native process gets SIGBUS.
      vanished = true;
      looksLeft = 0;
      roundsLeft = 0;
      armsLeft = 0;
      explanations.add(
          Subject.UAR_PAGE,
          page.number(),
          "UAR page %d, or the doorbell record of a queue that rang it, is gone, most likely because a mapped file was truncated; the device no longer starts queues from this page"
              .formatted(page.number()));
      return 0;
    }
  }

  private int takeDoorbells() {
    beginRound();
    int done = takeSendDoorbell() ? 1 : 0;
    long arm = page.takeCqDoorbell();
    if (arm != UarPage.IDLE) {
      arm(arm);
      done++;
    }
    return done;
  }

  /**
   * Takes one send doorbell, if there is one. It looks first where it expects the next one, because
   * drivers alternate between buffers, and no further than necessary: reading a buffer takes its
   * cache line from a client that is about to write it.
   */
  private boolean takeSendDoorbell() {
    for (int i = 0; i < UarPage.BUFFERS; i++) {
      int buffer = nextBuffer + i & UarPage.BUFFERS - 1;
      long doorbell = page.takeSendDoorbell(buffer);
      if (doorbell != UarPage.IDLE) {
        nextBuffer = buffer + 1;
        take(doorbell, buffer);
        return true;
      }
    }
    return false;
  }

  private void take(long doorbell, int buffer) {
    int register = buffer >> 1;
    Ringable found = all.find(ControlSegment.qpn(doorbell));
    if (found == null || found.uarPage() != page.number()) {
      explainStray(doorbell, found);
      takeForeign(register);
      return;
    }
    // The page's only queue is looked at whatever the value is, so the value does not matter.
    boolean alone = isAlone(found);
    SendQueue queue = found.sendQueue();
    boolean expected = alone && order == null || queue.isPosted(doorbell);
    if (expected && isLost(doorbell, queue, buffer)) {
      explainLost(doorbell, buffer);
      queue.passOver(doorbell);
    } else if (faults != null && faults.takes(this, doorbell)) {
      queue.passOver(doorbell);
    } else {
      ring(doorbell, found);
    }
    if (!expected) {
      takeForeign(register);
    } else if (!alone) {
      roams |= queue.addRegister(register);
      sweepFor(register, found);
    }
  }

  /** Handles a value that is not an expected doorbell. */
  private void takeForeign(int register) {
    if (order != null) {
      order.forget(register);
    }
    sweepAll();
  }

  /** True when a strict device loses this doorbell because a card may lose it. */
  private boolean isLost(long doorbell, SendQueue queue, int buffer) {
    if (order == null) {
      return false;
    }
    if (!queue.isLast(doorbell)) {
      // The doorbell after it may have been written to either buffer.
      order.forget(buffer >> 1);
      return false;
    }
    return order.loses(buffer, ControlSegment.qpn(doorbell), page.isWritten(buffer ^ 1));
  }

  /**
   * True for the only queue of the page: no doorbell of another queue can have been overwritten.
   */
  private boolean isAlone(Ringable queue) {
    return sendQueues.size() == 1 && sendQueues.get(0).equals(queue);
  }

  /** Looks for overwritten doorbells of other queues of a register, unless the device is strict. */
  private void sweepFor(int register, Ringable named) {
    if (order != null) {
      return;
    }
    int others = isSweeping() ? sweptRegisters : 0;
    boolean joins = (others >> register & 1) != 0;
    seen[register] = !joins || named.equals(seen[register]) ? named : null;
    foreign &= others != 0;
    sweep(others | 1 << register);
  }

  /** Looks for doorbells of all queues, because the value may have overwritten any of them. */
  private void sweepAll() {
    Arrays.fill(seen, null);
    foreign = true;
    sweep(ALL_REGISTERS);
  }

  private void sweep(int registers) {
    sweptRegisters = registers;
    looksLeft = sendQueues.size();
    roundsLeft = looksLeft > 0 ? ROUNDS - 1 : 0;
  }

  private void explainLost(long doorbell, int buffer) {
    int qpn = ControlSegment.qpn(doorbell);
    explain(
        Subject.QUEUE_PAIR,
        qpn,
        () ->
            "a doorbell of QP 0x%x for WQE %d is lost: it was written to buffer %d of its BlueFlame register, like the doorbell before it, and should have been written to buffer %d; a card may not have taken the first when the second arrives (offset ^= 256 after every ring)"
                .formatted(qpn, ControlSegment.wqeIndex(doorbell), buffer & 1, ~buffer & 1));
  }

  private void explainStray(long value, @Nullable Ringable found) {
    explain(Subject.UAR_PAGE, page.number(), () -> stray(value, found));
  }

  private String stray(long value, @Nullable Ringable found) {
    int qpn = ControlSegment.qpn(value);
    String why;
    if (found != null && mates.hasNumber(found.uarPage())) {
      why = "but that queue pair was created with another uar_page; ring its own page";
    } else if (isGone(qpn)) {
      why = "which was destroyed before it was rung";
    } else {
      why =
          "which this client does not have%s. The device ignores the value 0x%016x, as a card would, and then looks for doorbells that this value may have overwritten"
              .formatted(swapped(value), value);
    }
    return "a send doorbell on UAR page %d names QP 0x%x (qpn in bytes 4–6), %s"
        .formatted(page.number(), qpn, why);
  }

  /** Adds a sentence about a doorbell in vain, unless there were too many before. */
  private void explain(Subject subject, int number, Supplier<String> sentence) {
    if (told.add()) {
      explanations.add(subject, number, sentence.get());
    }
  }

  /** Explains that a value is a doorbell with swapped halves; empty if it is not. */
  private String swapped(long value) {
    int qpn = ControlSegment.qpn(Long.rotateLeft(value, Integer.SIZE));
    Ringable named = all.find(qpn);
    return named == null || named.uarPage() != page.number()
        ? ""
        : ": its halves are swapped, because bytes 0–2 are the number of QP 0x%x. Write the first 8 bytes of the WQE as they are, with opcode and wqe_index first"
            .formatted(qpn);
  }

  private void ring(long doorbell, Ringable named) {
    SendQueue queue = named.sendQueue();
    if (queue.isManaged() && order != null) {
      explainManaged(named);
      return;
    }
    String disabled = queue.isNone() ? "" : named.whyDisabled();
    if (!disabled.isEmpty()) {
      explainDisabled(doorbell, named, disabled);
      if (order != null) {
        queue.passOver(doorbell);
        return;
      }
    }
    if (queue.look()) {
      start(named);
    }
    explainMissingRecord(doorbell, named);
  }

  /** Rings a doorbell that was held back. */
  void ringLate(long doorbell) {
    Ringable named = all.find(ControlSegment.qpn(doorbell));
    if (named == null || named.uarPage() != page.number()) {
      explainStray(doorbell, named);
    } else {
      ring(doorbell, named);
    }
  }

  private void explainDisabled(long doorbell, Ringable named, String disabled) {
    explain(
        Subject.QUEUE_PAIR,
        named.number(),
        () ->
            "a doorbell of QP 0x%x for WQE %d rang too early: %s (%s); post and ring in RTS"
                .formatted(
                    named.number(),
                    ControlSegment.wqeIndex(doorbell),
                    disabled,
                    order == null
                        ? "this device starts the request in RTS, but a card may not"
                        : "the doorbell is lost"));
  }

  private void start(Ringable started) {
    recorder.time().renew();
    recorder.record(HcaHappening.DOORBELL, started.number(), started.sendQueue().producer(), 0);
    started.wake();
  }

  private void explainMissingRecord(long doorbell, Ringable named) {
    SendQueue queue = named.sendQueue();
    if (queue.isNone()) {
      explain(
          Subject.QUEUE_PAIR,
          named.number(),
          () ->
              "a doorbell of QP 0x%x rang, but it was created without a send queue (no_sq)"
                  .formatted(named.number()));
      return;
    }
    int beyond = ControlSegment.wqeIndex(doorbell) - queue.producer() & 0xffff;
    if (beyond < queue.size() && queue.pending() == 0) {
      explain(
          Subject.QUEUE_PAIR,
          named.number(),
          () ->
              "a doorbell of QP 0x%x names WQE %d, but the send counter of its doorbell record (bytes 4–7) is %d%s"
                  .formatted(
                      named.number(),
                      ControlSegment.wqeIndex(doorbell),
                      queue.seen(),
                      misplaced(queue, named.receives(), beyond + 1)));
    }
  }

  /** Says what to do when the send counter does not count the rung request. */
  private static String misplaced(SendQueue queue, int receives, int posted) {
    String reversed = queue.reversedRecord();
    if (!reversed.isEmpty()) {
      return ": " + reversed;
    }
    return receives != 0 && receives == posted
        ? "; write it there before the doorbell. The receive counter (bytes 0–3) counts %d: was the send counter written there?"
            .formatted(receives)
        : "; write it there before the doorbell";
  }

  private void explainManaged(Ringable named) {
    explain(
        Subject.QUEUE_PAIR,
        named.number(),
        () ->
            "a doorbell of QP 0x%x rang, but its send queue is managed (cd_slave_send), and this device is strict: only a SEND_EN of another queue lets it execute"
                .formatted(named.number()));
  }

  // ---- queues whose doorbells may have been overwritten

  private boolean isSweeping() {
    return looksLeft > 0 || roundsLeft > 0;
  }

  /** True while queues remain whose doorbells may have been overwritten. */
  boolean isToBeSwept() {
    return isSweeping() || armsLeft > 0;
  }

  /** Restarts the sweeps that are under way, because a queue came or went. */
  void restart() {
    if (order != null) {
      order.forget();
    }
    if (isSweeping()) {
      sweep(sweptRegisters);
    }
    armsLeft = armsLeft > 0 ? completionQueues.size() : 0;
  }

  private void beginRound() {
    if (looksLeft == 0 && roundsLeft > 0) {
      roundsLeft--;
      looksLeft = sendQueues.size();
    }
  }

  /** Looks at some of those queues; active until the round is over. */
  @Override
  protected int turn() {
    int looks = Math.min(looksLeft, LOOKS_PER_TURN);
    looksLeft -= looks;
    for (int i = 0; i < looks; i++) {
      nextLook = nextLook + 1 >= sendQueues.size() ? 0 : nextLook + 1;
      sweep(sendQueues.get(nextLook));
    }
    sweepArmed();
    return looksLeft + armsLeft;
  }

  @Override
  protected void abandon(String why) {
    explanations.add(Subject.UAR_PAGE, page.number(), why);
  }

  @Override
  public String toString() {
    return "UAR page %d".formatted(page.number());
  }

  /** Starts a queue now if its doorbell may have been overwritten and it has new requests. */
  void lookAt(Ringable queue) {
    if (isSweeping() && mayBeCovered(queue) && queue.sendQueue().lookCovered()) {
      start(queue);
    }
  }

  /**
   * Finishes the sweep now, or goes on with it.
   *
   * @param most bound on the number of turns
   * @return how many it took
   */
  int finishSweep(int most) {
    int turns = 0;
    for (; isSweeping() && turns < most; turns++) {
      beginRound();
      int unused = turn();
    }
    return turns;
  }

  /** True when a doorbell of the queue may have been overwritten on a swept register. */
  private boolean mayBeCovered(Ringable queue) {
    if (order != null && queue.sendQueue().isManaged()) {
      return false;
    }
    for (int register = 0; register < Uar.BLUEFLAME_REGISTERS; register++) {
      if ((sweptRegisters >> register & 1) != 0
          && !queue.equals(seen[register])
          && (foreign || roams || queue.sendQueue().mayRingOn(register))) {
        return true;
      }
    }
    return false;
  }

  private void sweep(Ringable swept) {
    SendQueue queue = swept.sendQueue();
    if (mayBeCovered(swept) && queue.lookUnrung()) {
      // Counted per client: where queues share registers, sweeps start each of them now and then.
      int starts = mates.countStart();
      if (isSeldom(starts)) {
        explanations.add(
            Subject.QUEUE_PAIR,
            swept.number(),
            "QP 0x%x got new requests (send counter %d) whose own doorbell was not seen; they were started because %s (%s so far). A card does not start requests that are not rung; %s"
                .formatted(
                    swept.number(),
                    queue.producer(),
                    whySwept(),
                    Counted.of(starts, "time"),
                    HcaDiagnosis.DOORBELL_REPLACED));
      }
      start(swept);
    }
  }

  /** True for 1, 8, 64 and so on. */
  private static boolean isSeldom(int times) {
    return Integer.bitCount(times) == 1 && Integer.numberOfTrailingZeros(times) % 3 == 0;
  }

  private String whySwept() {
    return (foreign
            ? "a value that is not a doorbell was written to a register of UAR page %d"
            : "a doorbell of another queue pair rang on a register of UAR page %d that they may"
                + " share")
        .formatted(page.number());
  }

  // ---- completion queues

  private void arm(long register) {
    recorder.time().renew();
    int cqn = CqArm.cqn(register);
    Armable found = CqArm.isCommand(register) ? armables.find(cqn) : null;
    CompletionQueue named = found == null || found.page() != this ? null : found.queue();
    if (named != null) {
      named.arm(CqArm.record(register));
    } else {
      explain(
          Subject.UAR_PAGE,
          page.number(),
          () ->
              CqArm.isCommand(register)
                  ? "a CQ doorbell on UAR page %d names CQ 0x%x, but no such CQ was created with that uar_page; it is ignored"
                      .formatted(page.number(), cqn)
                  : "the CQ doorbell of UAR page %d was given the value 0x%016x, which is not an arm command and is ignored"
                      .formatted(page.number(), register));
    }
    seenArmed = armsLeft == 0 || Objects.equals(seenArmed, named) ? named : null;
    armsLeft = completionQueues.size();
  }

  /** Looks at some completion queues whose doorbells may have been overwritten. */
  private void sweepArmed() {
    int looks = Math.min(armsLeft, LOOKS_PER_TURN);
    armsLeft -= looks;
    for (int i = 0; i < looks; i++) {
      nextArm = nextArm + 1 >= completionQueues.size() ? 0 : nextArm + 1;
      CompletionQueue swept = completionQueues.get(nextArm);
      if (!swept.equals(seenArmed)) {
        swept.armUnrung();
      }
    }
  }
}
