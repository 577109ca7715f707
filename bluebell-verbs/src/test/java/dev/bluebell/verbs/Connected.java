package dev.bluebell.verbs;

/** Makes queue pairs ready to send, to an arbitrary peer. */
final class Connected {
  private Connected() {}

  /** Connects a queue pair to itself. */
  static <Q extends ConnectedQueuePair> Q toItself(Q queuePair) {
    queuePair.connect(queuePair.endpoint());
    return queuePair;
  }
}
