package dev.bluebell.softnic.doorbell;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Program;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.SendQueue;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A UAR page and the queues that ring on it. A doorbell names one queue, and starts what is posted
 * there. Where queues share a register, the one that was read may have hidden others: those queues
 * are looked at, too, a few a step, so that a thousand idle ones do not hold up a busy one. What
 * such a sweep starts is counted and explained, because on hardware no write hides another, and a
 * request whose doorbell was never rung does not start.
 */
final class PageWatch {
  private static final int LOOKS_PER_STEP = 8;
  private static final int GONE_KNOWN = 16;

  /** Doorbells that name nothing of which each is explained; of more, every 2^n-th. */
  private static final int ALWAYS_TOLD = 64;

  private final UarPage page;
  private final Program program;
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

  // The sweep: which registers rang, and how many looks are left. It goes round twice: a queue that
  // has new requests may just be about to ring, and is started when it still has not.
  private int sweptRegisters;

  // By register, the only queue whose doorbells were read since: nothing hid them. Null when there
  // are several.
  private final @Nullable Ringable[] seen = new Ringable[Uar.BLUEFLAME_REGISTERS];
  private int nextLook;
  private int looksLeft;

  // The same for completion queues, which are armed and not started.
  private @Nullable CompletionQueue seenArmed;
  private int nextArm;
  private int armsLeft;

  private boolean inSweeps;

  // Queues that were here and are gone, the last few; -1 is none.
  private final int[] gone = new int[GONE_KNOWN];
  private int goneCount;

  // Doorbells that named nothing.
  private int strays;

  /**
   * @param program whose page it is
   * @param all everything that a send doorbell can name
   * @param armables everything that a CQ doorbell can name
   * @param strict true to start only what was rung, and to lose what a card may lose
   * @param faults what is lost or late on purpose; null when nothing is
   */
  PageWatch(
      UarPage page,
      Program program,
      ObjectTable<? extends Ringable> all,
      ObjectTable<Armable> armables,
      FlightRecorder recorder,
      Explanations explanations,
      boolean strict,
      @Nullable DoorbellFaults faults) {
    this.faults = faults;
    order = strict ? new BufferOrder() : null;
    Arrays.fill(gone, -1);
    this.page = page;
    this.program = program;
    this.all = all;
    this.armables = armables;
    this.recorder = recorder;
    this.explanations = explanations;
  }

  UarPage page() {
    return page;
  }

  Program program() {
    return program;
  }

  Roster<Ringable> sendQueues() {
    return sendQueues;
  }

  Roster<CompletionQueue> completionQueues() {
    return completionQueues;
  }

  /** Takes note that a queue is gone. */
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

  /** Starts a queue whose doorbell may have been hidden by another's, as a sweep will do. */
  void lookAt(Ringable queue) {
    SendQueue sends = queue.sendQueue();
    if (isToBeSwept() && sends.isUnrung() && sends.look()) {
      start(queue);
    }
  }

  /** Takes a send doorbell and an arm command off the page; how many there were. */
  int poll() {
    int done = takeSendDoorbell() ? 1 : 0;
    long arm = page.takeCqDoorbell();
    if (arm != 0) {
      arm(arm);
      done++;
    }
    return done;
  }

  /**
   * Takes one send doorbell, if there is one. It looks first where the next one is expected, as
   * drivers alternate between buffers, and no further than it must: whoever reads a buffer takes
   * its cache line from who is about to write there.
   */
  private boolean takeSendDoorbell() {
    for (int i = 0; i < UarPage.BUFFERS; i++) {
      int buffer = nextBuffer + i & UarPage.BUFFERS - 1;
      long doorbell = page.takeSendDoorbell(buffer);
      if (doorbell != 0) {
        nextBuffer = buffer + 1;
        if (order != null && order.loses(buffer, ControlSegment.qpn(doorbell))) {
          explainLost(doorbell, buffer);
          return true;
        }
        if (faults != null && rings(doorbell) && faults.takes(this, doorbell, buffer >> 1)) {
          return true;
        }
        Ringable named = ring(doorbell, buffer >> 1);
        sweepFor(buffer >> 1, named);
        return true;
      }
    }
    return false;
  }

  /** True for a doorbell of a queue pair of this page. */
  private boolean rings(long doorbell) {
    Ringable named = all.find(ControlSegment.qpn(doorbell));
    return named != null && named.uarPage() == page.number();
  }

  private void sweepFor(int register, @Nullable Ringable named) {
    if (sendQueues.size() > 1 && order == null && faults == null) {
      int others = looksLeft > 0 ? sweptRegisters : 0;
      boolean joins = (others >> register & 1) != 0;
      seen[register] = !joins || Objects.equals(seen[register], named) ? named : null;
      sweptRegisters = others | 1 << register;
      looksLeft = 2 * sendQueues.size();
    }
  }

  private void explainLost(long doorbell, int buffer) {
    int qpn = ControlSegment.qpn(doorbell);
    explanations.add(
        Subject.QUEUE_PAIR,
        qpn,
        "a doorbell of QP 0x%x for WQE %d is lost: it was written to buffer %d of its BlueFlame register, as the doorbell before it was, and should have been written to buffer %d; a card may not have taken the first when the second comes (offset ^= 256 after every ring)"
            .formatted(qpn, ControlSegment.wqeIndex(doorbell), buffer & 1, ~buffer & 1));
  }

  private @Nullable Ringable ring(long doorbell, int register) {
    int qpn = ControlSegment.qpn(doorbell);
    Ringable named = all.find(qpn);
    if (named == null || named.uarPage() != page.number()) {
      if (isTold(++strays)) {
        explanations.add(
            Subject.UAR_PAGE,
            page.number(),
            (named == null && isGone(qpn)
                    ? "a send doorbell on UAR page %d names QP 0x%x (qpn in bytes 4–6), which was"
                        + " destroyed before it was rung"
                    : "a send doorbell on UAR page %d names QP 0x%x (qpn in bytes 4–6), but no such"
                        + " queue pair was created with that uar_page; its own page must be rung")
                .formatted(page.number(), qpn));
      }
      return null;
    }
    SendQueue queue = named.sendQueue();
    queue.setRegister(register);
    if (queue.isManaged() && order != null) {
      explainManaged(named);
      return named;
    }
    String disabled = queue.isNone() ? "" : named.whyDisabled();
    if (!disabled.isEmpty()) {
      explainDisabled(doorbell, named, disabled);
      if (order != null) {
        return named;
      }
    }
    if (queue.look()) {
      start(named);
    }
    explainMissingRecord(doorbell, named);
    return named;
  }

  /** Takes a doorbell that was held back. */
  void ringLate(long doorbell, int register) {
    Ringable unused = ring(doorbell, register);
  }

  private void explainDisabled(long doorbell, Ringable named, String disabled) {
    explanations.add(
        Subject.QUEUE_PAIR,
        named.number(),
        "a doorbell of QP 0x%x for WQE %d rang too early: %s (%s); post and ring in RTS"
            .formatted(
                named.number(),
                ControlSegment.wqeIndex(doorbell),
                disabled,
                order == null
                    ? "this device starts the request in RTS, a card need not"
                    : "the doorbell is lost"));
  }

  /** A page that rings in vain all the time would take all the time to say so. */
  private static boolean isTold(int times) {
    return times <= ALWAYS_TOLD || Integer.bitCount(times) == 1;
  }

  private void start(Ringable started) {
    recorder.time().renew();
    recorder.record(HcaHappening.DOORBELL, started.number(), started.sendQueue().producer(), 0);
    started.wake();
  }

  private void explainMissingRecord(long doorbell, Ringable named) {
    SendQueue queue = named.sendQueue();
    if (queue.isNone()) {
      explanations.add(
          Subject.QUEUE_PAIR,
          named.number(),
          "a doorbell of QP 0x%x rang, but it was created without a send queue (no_sq)"
              .formatted(named.number()));
      return;
    }
    int beyond = ControlSegment.wqeIndex(doorbell) - queue.producer() & 0xffff;
    if (beyond < queue.size() && queue.pending() == 0) {
      explanations.add(
          Subject.QUEUE_PAIR,
          named.number(),
          "a doorbell of QP 0x%x names WQE %d, but its doorbell record's send counter is %d; write the counter before the doorbell"
              .formatted(named.number(), ControlSegment.wqeIndex(doorbell), queue.seen()));
    }
  }

  private void explainManaged(Ringable named) {
    explanations.add(
        Subject.QUEUE_PAIR,
        named.number(),
        "a doorbell of QP 0x%x rang, but its send queue is managed (cd_slave_send), and this device is strict: only a SEND_EN of another queue lets it be executed"
            .formatted(named.number()));
  }

  // ---- queues whose doorbells may have been hidden

  /** True while queues are left whose doorbell may have been written over. */
  boolean isToBeSwept() {
    return looksLeft > 0 || armsLeft > 0;
  }

  /** Takes note that it waits to be swept; false when it did already. */
  boolean joinSweeps() {
    boolean joins = !inSweeps;
    inSweeps = true;
    return joins;
  }

  void leaveSweeps() {
    inSweeps = false;
  }

  /** Starts what is under way again, because a queue came or went. */
  void sweepAgain() {
    if (order != null) {
      order.forget();
    }
    looksLeft = looksLeft > 0 ? 2 * sendQueues.size() : 0;
  }

  /** Looks at some of those queues; how many. */
  int sweep() {
    int looks = Math.min(looksLeft, Math.min(LOOKS_PER_STEP, sendQueues.size()));
    for (int i = 0; i < looks; i++) {
      nextLook = nextLook + 1 >= sendQueues.size() ? 0 : nextLook + 1;
      sweep(sendQueues.get(nextLook));
    }
    looksLeft = looks == 0 ? 0 : looksLeft - looks;
    return looks + sweepArmed();
  }

  /** Looks at all of those queues now. */
  void sweepAll() {
    while (looksLeft > 0) {
      int unused = sweep();
    }
  }

  /** True when a doorbell of the queue may have been written over on a register that is swept. */
  private boolean mayBeHidden(Ringable queue) {
    for (int register = 0; register < Uar.BLUEFLAME_REGISTERS; register++) {
      if ((sweptRegisters >> register & 1) != 0
          && !queue.equals(seen[register])
          && queue.sendQueue().mayRingOn(1 << register)) {
        return true;
      }
    }
    return false;
  }

  private void sweep(Ringable swept) {
    SendQueue queue = swept.sendQueue();
    if (mayBeHidden(swept) && queue.lookUnrung()) {
      int count = queue.sweeps();
      if (Integer.bitCount(count) == 1) {
        explanations.add(
            Subject.QUEUE_PAIR,
            swept.number(),
            "QP 0x%x got new requests (send counter %d) whose own doorbell was not seen; they were started because a doorbell of another queue pair rang on a register of UAR page %d that they may share (%d times so far). If every post rings its own doorbell, one write hid another here, which is harmless; if not, a card does not start them"
                .formatted(swept.number(), queue.producer(), page.number(), count));
      }
      start(swept);
    }
  }

  // ---- completion queues

  private void arm(long register) {
    recorder.time().renew();
    int cqn = CqArm.cqn(register);
    Armable found = armables.find(cqn);
    CompletionQueue named = found == null || found.page() != this ? null : found.queue();
    if (named != null) {
      named.arm(CqArm.record(register));
    } else if (isTold(++strays)) {
      explanations.add(
          Subject.UAR_PAGE,
          page.number(),
          "a CQ doorbell on UAR page %d names CQ 0x%x, but no such CQ was created with that uar_page; it is ignored"
              .formatted(page.number(), cqn));
    }
    seenArmed = armsLeft == 0 || Objects.equals(seenArmed, named) ? named : null;
    armsLeft = completionQueues.size();
    if (armsLeft <= LOOKS_PER_STEP) {
      int unused = sweepArmed();
    }
  }

  /** Looks at some completion queues whose doorbell may have been written over; how many. */
  private int sweepArmed() {
    int looks = Math.min(armsLeft, Math.min(LOOKS_PER_STEP, completionQueues.size()));
    for (int i = 0; i < looks; i++) {
      nextArm = nextArm + 1 >= completionQueues.size() ? 0 : nextArm + 1;
      CompletionQueue swept = completionQueues.get(nextArm);
      if (!swept.equals(seenArmed)) {
        swept.armUnrung();
      }
    }
    armsLeft = looks == 0 ? 0 : armsLeft - looks;
    return looks;
  }
}
