package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import org.jspecify.annotations.Nullable;

/** The queues of one queue pair, as completions find them. */
public final class WorkQueues {
  final int qpn;
  final SendRing send;
  final @Nullable ReceiveRing receive;

  /**
   * The number where the last word of a completion has it, all else 0; once the queue pair is no
   * more, what no completion has.
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

  /** Notes that the queue pair is no more, so that a poller who remembers it looks again. */
  void close() {
    qpnInCqe = -1;
  }
}
