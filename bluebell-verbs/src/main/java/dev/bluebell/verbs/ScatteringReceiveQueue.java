package dev.bluebell.verbs;

/** A receive queue whose requests say themselves where a message comes to: one request each. */
public interface ScatteringReceiveQueue extends LinkedReceiveQueue {
  /**
   * Starts a receive request: memory for one message to any of the queue pairs.
   *
   * @throws IllegalStateException when the queue is full, another request is half built, or the
   *     queue is closed
   */
  @CheckReturnValue
  ReceiveLanding receive();

  /**
   * Drops the request that is half built, if there is one: after a failure between two stages.
   *
   * @return whether there was one
   */
  boolean dropUnfinished();

  /** Most scatter entries of a request. */
  int maxScatter();
}
