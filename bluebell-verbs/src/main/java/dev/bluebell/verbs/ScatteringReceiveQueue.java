package dev.bluebell.verbs;

/** A receive queue in which each request names the memory for one message. */
public interface ScatteringReceiveQueue extends LinkedReceiveQueue {
  /**
   * Starts a receive request: memory for one message to any of the queue pairs.
   *
   * @throws QueueFullException when the queue is full: poll completions of its requests first
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when the queue belongs to another thread
   * @throws IllegalStateException when another request is unfinished
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
