package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.CqWaiter;
import dev.bluebell.softnic.queue.CrossChannel;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.Manageable;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Executes the WAITs, SEND_ENs and RECV_ENs of one send queue. Owned by one requester.
 *
 * <p>The awaited completion queue or value wakes a waiting queue, which checks again in its turn.
 */
public final class CrossOperations implements LocalOperation {
  private static final int INDEX_MASK = 0xffffff;

  private final CrossChannel crossChannel;
  private final boolean fencesEnables;
  private final int pd;
  private final int number;
  private final CompletionQueue own;
  private final Fault fault;
  private final CqWaiter waiter;
  private final ValueWait value;

  private boolean isMaster;

  // The awaited completion queue and the index of the WAIT; null and -1 when it does not wait.
  private @Nullable CompletionQueue awaited;
  private int waitingIndex = -1;
  private int awaitedIndex;

  /**
   * @param own completion queue of the queue's requests, whose owner is the queue's
   * @param fault set when a request is refused
   */
  public CrossOperations(
      Chip chip, QpIdentity self, Lifecycle life, CompletionQueue own, Fault fault) {
    this.own = own;
    crossChannel = chip.crossChannel();
    fencesEnables = chip.machine().fencesEnables();
    pd = self.pd();
    number = self.number();
    this.fault = fault;
    value = new ValueWait(chip, self, life, fault);
    waiter =
        new CqWaiter() {
          @Override
          protected void wake() {
            awaited = null;
            life.wake();
          }
        };
  }

  /** Reads the queue's rights from the context. */
  public void start(View qpc) {
    isMaster = qpc.isSet(Qpc.CD_MASTER);
  }

  /** Stops waiting. */
  public void reset() {
    leaveQueue();
    waitingIndex = -1;
    value.reset();
  }

  private void leaveQueue() {
    if (awaited != null) {
      awaited.stopWaiting(waiter);
      awaited = null;
    }
  }

  @Override
  public boolean isUnrepeatable() {
    return false;
  }

  @Override
  public boolean heedsFences(SendWqe wqe) {
    return fencesEnables
        || (wqe.opcode() != WqeOpcode.SEND_EN && wqe.opcode() != WqeOpcode.RECV_EN);
  }

  @Override
  public boolean isToDo(SendWqe wqe) {
    return !wqe.isBegun();
  }

  /** True while the queue holds a WAIT. */
  public boolean isWaiting() {
    return waitingIndex >= 0;
  }

  /**
   * Waits for another queue or enables one, only once: a retry of earlier requests may reach it
   * again.
   */
  @Override
  public long execute(SendWqe wqe, int entry, long done, long budget) {
    if (wqe.isBegun()) {
      return 0;
    }
    long crossed = execute(wqe);
    if (crossed >= 0) {
      wqe.begin();
    }
    return crossed;
  }

  private long execute(SendWqe wqe) {
    // Every queue pair may wait for values: UCC does so on one without cd_master.
    boolean isForValue = wqe.opcode() == WqeOpcode.WAIT && wqe.opmod() != 0;
    if (!isMaster && !isForValue) {
      return refuse(
          "QP 0x%x was created without cd_master, so it does not execute SEND_EN, RECV_EN, or WAIT for a completion queue (opmod 0)"
              .formatted(number));
    }
    return switch (wqe.opcode()) {
      case WqeOpcode.WAIT -> await(wqe);
      case WqeOpcode.SEND_EN -> enable(wqe, true);
      default -> enable(wqe, false);
    };
  }

  private long refuse(String why) {
    fault.set(Syndrome.LOCAL_QP_OP_ERR, why);
    return Progress.REFUSED;
  }

  // ---- enabling

  private long enable(SendWqe wqe, boolean sends) {
    int qpn = (int) wqe.operation(QueueSegment.QPN);
    int index = (int) wqe.operation(QueueSegment.MAX_INDEX);
    Manageable target = crossChannel.queuePairs().find(qpn);
    if (target == null) {
      return refuse("qpn 0x%x does not name a queue pair that can be enabled".formatted(qpn));
    }
    if (target.pd() != pd) {
      return refuse(
          "QP 0x%x, which it names, belongs to protection domain 0x%x, but the queue pair belongs to 0x%x: queues are enabled only within their own domain"
              .formatted(qpn, target.pd(), pd));
    }
    if (sends) {
      return target.enableSends(index)
          ? 0
          : refuse(
              "the send queue of QP 0x%x, which it names, is not managed (cd_slave_send)"
                  .formatted(qpn));
    }
    return target.enableReceives(index)
        ? 0
        : refuse(
            "the receive queue of QP 0x%x, which it names, is not managed (cd_slave_receive)"
                .formatted(qpn));
  }

  // ---- waiting

  private long await(SendWqe wqe) {
    long held =
        wqe.opmod() == 0
            ? awaitCompletions(wqe)
            : value.hold(wqe, wqe.opmod() == WqeForm.WAIT_ON_DATA);
    waitingIndex = held == Progress.WAIT ? wqe.index() : -1;
    return held;
  }

  private long awaitCompletions(SendWqe wqe) {
    // A CQ that was destroyed may not have woken this queue yet, and its number may be in use
    // again.
    leaveQueue();
    int cqn = (int) wqe.operation(QueueSegment.CQN);
    int index = (int) wqe.operation(QueueSegment.PRODUCER_INDEX);
    CompletionQueue queue = crossChannel.completionQueues().find(cqn);
    if (queue == null) {
      return refuse(
          "cqn 0x%x does not name a completion queue; a WAIT fails when its queue is destroyed"
              .formatted(cqn));
    }
    if (queue.owner() != own.owner()) {
      return refuse(
          "CQ 0x%x, which it names, was created with uid 0x%x, but QP 0x%x completes in one of uid 0x%x: clients can wait only for CQs of their own"
              .formatted(cqn, queue.owner(), number, own.owner()));
    }
    if (queue.hasProduced(index)) {
      return 0;
    }
    awaited = queue;
    awaitedIndex = index;
    queue.await(waiter, index);
    return Progress.WAIT;
  }

  /** Earliest time at which a WAIT for the clock ends; {@link Long#MAX_VALUE} for never. */
  public long deadline() {
    return value.deadline();
  }

  /** Ends a wait whose time has come. */
  public void onTimer(long now) {
    value.onTimer(now);
  }

  /** The awaited event, as part of a sentence. */
  public String describe() {
    CompletionQueue queue = awaited;
    String what =
        queue == null
            ? value.describe()
            : "until CQ 0x%x has produced more than %d completions; it has produced %d"
                .formatted(queue.number(), awaitedIndex & INDEX_MASK, queue.produced());
    return "WQE %d (WAIT) waits %s".formatted(waitingIndex, what);
  }
}
