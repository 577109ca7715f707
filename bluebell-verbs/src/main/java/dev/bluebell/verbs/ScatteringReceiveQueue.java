package dev.bluebell.verbs;

/** A receive queue in which each request names the memory for one message. */
public interface ScatteringReceiveQueue extends LinkedReceiveQueue {
  /**
   * Starts a receive request: memory for one message to any of the queue pairs.
   *
   * @throws IllegalStateException when the queue is full, another request is unfinished, or the
   *     queue is closed
   */
  @CheckReturnValue
  ReceiveLanding receive();

  /**
   * Drops the unfinished request, if there is one, after a failure between stages.
   *
   * @return whether there was one
   */
  boolean dropUnfinished();

  /** Maximum number of scatter entries of a request. */
  int maxScatter();
}
