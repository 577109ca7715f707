package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one user index. Completions carry the index, by which pollers find these queues.
 */
public final class WorkQueues {
  /** Placeholder for a queue pair number; no completion has it. */
  private static final int NO_QPN = -1;

  private static final SendRing NO_SENDS =
      new SendRing(
          SendRingLayout.of(0, 0, 0, Parking.RECORD, Parking.REGISTER, ControlSegment.WQEBB_BYTES));

  final int qpn;
  final SendRing send;
  final @Nullable Receives receive;
  private final boolean closed;

  /** The streams of the send queue; null when its requests complete in order. */
  @Nullable StreamRing streams;

  /** The user index; -1 as long as these queues have none. */
  int userIndex = -1;

  /**
   * The queue pair's number at its place in the last word of a completion, with all other bits 0.
   * After the end of the queue pair, a value that no completion has.
   */
  long qpnInCqe;

  /** The queue pair that has these queues; null for queues without a device. */
  @Nullable QueuePair queuePair;

  /**
   * Queues of a queue pair.
   *
   * @param qpn its number, 24 bits
   * @param send its send queue
   * @param receive its receive queue, or the shared one that it receives from when that has no user
   *     index of its own; null without one
   */
  public WorkQueues(int qpn, SendRing send, @Nullable Receives receive) {
    this(qpn, send, receive, false, Cqe.lastWord(0, qpn, 0, 0));
  }

  private WorkQueues(
      int qpn, SendRing send, @Nullable Receives receive, boolean closed, long qpnInCqe) {
    this.qpn = qpn;
    this.send = send;
    this.receive = receive;
    this.closed = closed;
    this.qpnInCqe = qpnInCqe;
  }

  /**
   * A shared receive queue that has a user index of its own. Its completions carry the number of
   * the queue pair that received the message.
   */
  public static WorkQueues shared(Receives receive) {
    return new WorkQueues(NO_QPN, NO_SENDS, receive, false, NO_QPN);
  }

  /**
   * A send queue with streams. Completions find it by its user index only: they must not take the
   * fast path, which retires requests in order.
   *
   * @param qpn number of its queue pair, 24 bits
   */
  public static WorkQueues ofStreams(int qpn, StreamRing streams) {
    WorkQueues queues = new WorkQueues(qpn, streams.ring, null, false, NO_QPN);
    queues.streams = streams;
    return queues;
  }

  /** Placeholder queues without an owner. */
  static WorkQueues nobody() {
    return new WorkQueues(NO_QPN, NO_SENDS, null, false, NO_QPN);
  }

  /**
   * Placeholder for a closed queue pair.
   *
   * @param receive the shared queue that it received from; null without one
   */
  static WorkQueues closed(@Nullable Receives receive) {
    return new WorkQueues(NO_QPN, NO_SENDS, receive, true, NO_QPN);
  }

  /** Names the queue pair, before any of its requests can complete. */
  public void belongTo(QueuePair owner) {
    queuePair = owner;
  }

  /** Marks the queue pair as closed, so that a poller that cached it looks it up again. */
  void close() {
    qpnInCqe = -1;
  }

  boolean isClosed() {
    return closed;
  }

  /** True when a completion with this number and user index is for one of these queues. */
  boolean owns(int completedQpn, int completedUserIndex) {
    return qpn == completedQpn || isShared() && userIndex == completedUserIndex;
  }

  /** True for a shared receive queue that has a user index of its own. */
  boolean isShared() {
    return qpn == NO_QPN && receive != null && !closed;
  }

  /**
   * Drops a completion that is not delivered: releases its entry of a shared receive queue, if it
   * has one.
   *
   * @param last last word of the completion
   */
  void drop(long last) {
    if (!isResponse(Cqe.opcode(last))) {
      return;
    }
    if (receive instanceof SharedReceiveRing shared) {
      boolean unused = shared.release(Cqe.wqeCounter(last));
    } else if (receive instanceof StridingRing strides) {
      strides.drop(Cqe.wqeCounter(last));
    }
  }

  /** True for the opcodes of receive completions. */
  static boolean isResponse(int opcode) {
    return opcode >= CqeOpcode.RESP_WR_IMM && opcode <= CqeOpcode.RESP_SEND_INV
        || opcode == CqeOpcode.RESP_ERR;
  }
}
