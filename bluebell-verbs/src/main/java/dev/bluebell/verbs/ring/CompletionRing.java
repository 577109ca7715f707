package dev.bluebell.verbs.ring;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue in memory. Mirrors {@code cq.c: mlx5_poll_cq, mlx5_arm_cq}. Belongs to the
 * thread that polls.
 */
public final class CompletionRing {
  /** User index of entries that {@link #discard} took out of circulation. */
  private static final int NOBODY = 0xffffff;

  private static final VarHandle EMPTY_POLLS;

  static {
    try {
      EMPTY_POLLS =
          MethodHandles.lookup().findVarHandle(CompletionRing.class, "emptyPolls", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final QueueTable queues;
  private final CqeView view;
  private final long base;
  private final int mask;
  private final int logEntries;
  private final int logBytes;
  private final int cqn;

  private long record;
  private long register;
  private int consumer;
  private int armSequence;
  private long emptyPolls;
  private volatile boolean closed;

  /**
   * A queue over memory that the caller keeps alive and has {@linkplain
   * CompletionRingLayout#initialize initialized}.
   *
   * @param queues finds the queues whose requests complete
   * @param diagnosis explains failures; null without one
   */
  public CompletionRing(
      CompletionRingLayout layout, QueueTable queues, @Nullable HcaDiagnosis diagnosis) {
    this.queues = queues;
    view = new CqeView(layout.cqn(), diagnosis);
    // In a 128-byte entry the completion is the second half.
    base = layout.address() + layout.cqeBytes() - Cqe.BYTES;
    logEntries = layout.logEntries();
    mask = (1 << logEntries) - 1;
    logBytes = Integer.numberOfTrailingZeros(layout.cqeBytes());
    cqn = layout.cqn();
    record = layout.doorbellRecord();
    register = layout.register();
  }

  /**
   * Consumes completions.
   *
   * @param max how many at most
   * @return how many the handler took
   * @throws IllegalStateException when an entry makes no sense; it is consumed all the same
   */
  public int poll(CompletionHandler handler, int max) {
    int count = 0;
    while (count < max && advance()) {
      count++;
      handler.completed(view);
    }
    return count;
  }

  /**
   * Consumes one completion.
   *
   * @return the view of it, valid until the next poll; null when there is none
   * @throws IllegalStateException when the entry makes no sense; it is consumed all the same
   */
  public @Nullable Completion poll() {
    return advance() ? view : null;
  }

  /** True when a poll would consume an entry. */
  public boolean isReady() {
    int index = consumer;
    return isOwned(Memory.getLongAcquire(entry(index) + Cqe.LAST_WORD), index);
  }

  /**
   * Asks for one event.
   *
   * @param solicitedOnly true for an event only when a solicited or a failed completion arrives
   */
  public void arm(boolean solicitedOnly) {
    int command = CqArm.record(armSequence, solicitedOnly, consumer);
    Memory.putIntRelease(record + DoorbellRecord.CQ_ARM, command);
    Memory.fullFence();
    Memory.putLongRelease(register, CqArm.register(command, cqn));
  }

  /** Notes that an event of this queue was taken, so that the next arm command counts as new. */
  public void eventTaken() {
    armSequence++;
  }

  /** Notes that a poll found nothing. */
  public void notePollWithoutResult() {
    EMPTY_POLLS.setRelease(this, emptyPolls + 1);
  }

  /** Size of the ring in entries. */
  public int entries() {
    return mask + 1;
  }

  /** Makes the doorbells go nowhere from now on. */
  public void close() {
    closed = true;
    record = Parking.RECORD;
    register = Parking.REGISTER;
  }

  /**
   * Takes the entries of a queue pair that was reset out of circulation: they won't be delivered.
   */
  public void discard(int qpn) {
    for (int index = consumer; ; index++) {
      long cqe = entry(index);
      long last = Memory.getLongAcquire(cqe + Cqe.LAST_WORD);
      if (!isOwned(last, index) || index - consumer > mask) {
        return;
      }
      if (Cqe.qpn(last) == qpn) {
        Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(NOBODY, 0));
      }
    }
  }

  boolean isClosed() {
    return closed;
  }

  long emptyPolls() {
    return (long) EMPTY_POLLS.getAcquire(this);
  }

  private long entry(int index) {
    return base + ((long) (index & mask) << logBytes);
  }

  private boolean isOwned(long last, int index) {
    return (((int) last ^ index >>> logEntries) & Cqe.OWNER_MASK) == 0
        && Cqe.opcode(last) != CqeOpcode.INVALID;
  }

  /** Loads the next completion that belongs to somebody into the view. */
  private boolean advance() {
    while (true) {
      int index = consumer;
      long cqe = entry(index);
      long last = Memory.getLongAcquire(cqe + Cqe.LAST_WORD);
      if (!isOwned(last, index)) {
        return false;
      }
      view.load(cqe, last, index);
      consumer = index + 1;
      // Before the handler runs: it may post requests whose completions need this slot.
      Memory.putIntRelease(record + DoorbellRecord.CQ_SET_CI, consumer & CqArm.INDEX_MASK);
      if (complete(last)) {
        return true;
      }
    }
  }

  private boolean complete(long last) {
    WorkQueues owner = queues.find(view.userIndex());
    int qpn = Cqe.qpn(last);
    if (owner.qpn != qpn) {
      return skipClosed(owner, qpn);
    }
    if (Cqe.format(last) != 0) {
      throw unexpected("has format %d, which is not supported yet".formatted(Cqe.format(last)));
    }
    return switch (Cqe.opcode(last)) {
      case CqeOpcode.REQ, CqeOpcode.REQ_ERR -> owner.send.complete(Cqe.wqeCounter(last), view);
      case CqeOpcode.RESP_SEND,
          CqeOpcode.RESP_WR_IMM,
          CqeOpcode.RESP_SEND_IMM,
          CqeOpcode.RESP_SEND_INV,
          CqeOpcode.RESP_ERR ->
          receiveOf(owner).complete(Cqe.wqeCounter(last), view);
      default -> throw unexpected("has opcode " + CqeOpcode.name(Cqe.opcode(last)));
    };
  }

  private ReceiveRing receiveOf(WorkQueues owner) {
    ReceiveRing receive = owner.receive;
    if (receive == null) {
      throw unexpected(
          "is for the receive queue of QP 0x%06x, which has none".formatted(owner.qpn));
    }
    return receive;
  }

  private boolean skipClosed(WorkQueues owner, int qpn) {
    if (owner == QueueTable.CLOSED || view.userIndex() == NOBODY) {
      return false;
    }
    throw unexpected(
        owner == QueueTable.NEVER_USED
            ? "names user index %d, which no queue pair ever had".formatted(view.userIndex())
            : "names QP 0x%06x with user index %d, which belongs to QP 0x%06x"
                .formatted(qpn, view.userIndex(), owner.qpn));
  }

  private IllegalStateException unexpected(String what) {
    return new IllegalStateException(
        "completion %d of CQ 0x%06x %s".formatted(Integer.toUnsignedLong(view.index()), cqn, what));
  }
}
