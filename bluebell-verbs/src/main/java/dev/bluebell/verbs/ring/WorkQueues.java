package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import org.jspecify.annotations.Nullable;

/** The queues of one queue pair, as completions find them. */
public final class WorkQueues {
  final int qpn;
  final SendRing send;
  final @Nullable ReceiveRing receive;

  /**
   * The queue pair's number at its place in the last word of a completion, with all other bits 0.
   * After the end of the queue pair, a value that no completion has.
   */
  long qpnInCqe;

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
    qpnInCqe = Cqe.lastWord(0, qpn, 0, 0);
  }

  /** Notes the end of the queue pair, so that a poller that remembers it looks again. */
  void close() {
    qpnInCqe = -1;
  }
}
