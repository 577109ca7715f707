package dev.bluebell.verbs;

/** Adds a receive queue, for the services that receive into a queue of the queue pair. */
public interface ReceivingQueuePair extends OrderedQueuePair {
  /**
   * Starts a receive request: memory for one message of the peer.
   *
   * @throws QueueFullException when the queue is full
   * @throws NotOwnerException when another thread posts receives
   * @throws IllegalStateException when another request is half built, or the queue pair has no
   *     receive queue
   */
  @CheckReturnValue
  ReceiveLanding receive();

  /**
   * Makes the device see all receive requests that were posted.
   *
   * @throws ClosedException when the queue pair is closed
   * @throws NotOwnerException when another thread posts receives
   * @throws IllegalStateException when a request is half built
   */
  void ringReceiveDoorbell();

  /** Receive requests that can be posted now; 0 without a receive queue. */
  int freeReceives();

  /** Size of the receive queue in requests; 0 without one. */
  int receiveQueueRequests();
}
