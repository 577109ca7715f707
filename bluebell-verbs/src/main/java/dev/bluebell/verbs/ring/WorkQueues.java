package dev.bluebell.verbs.ring;

import org.jspecify.annotations.Nullable;

/** The queues of one queue pair, as completions find them. */
public final class WorkQueues {
  final int qpn;
  final SendRing send;
  final @Nullable ReceiveRing receive;

  /** False when the queue pair is no more. */
  boolean open = true;

  /**
   * Queues of a queue pair.
   *
   * @param qpn its number, 24 bits
   * @param send its send queue
   * @param receive its receive queue; null without one
   */
  public WorkQueues(int qpn, SendRing send, @Nullable ReceiveRing receive) {
    this.qpn = qpn;
    this.send = send;
    this.receive = receive;
  }
}
