package dev.bluebell.verbs;

/** A queue pair of a service that can receive into a queue of its own. */
public interface ReceivingQueuePair extends OrderedQueuePair {
  /**
   * Starts a receive request: memory for one message of the peer.
   *
   * @throws QueueFullException when the queue is full
   * @throws NotOwnerException when the receive queue belongs to another thread
   * @throws IllegalStateException when another request is unfinished, or the queue pair has no
   *     receive queue
   */
  @CheckReturnValue
  ReceiveLanding receive();

  /**
   * Makes the device see all receive requests that were posted.
   *
   * @throws ClosedException when the queue pair is closed
   * @throws NotOwnerException when the receive queue belongs to another thread
   * @throws IllegalStateException when a request is unfinished
   */
  void ringReceiveDoorbell();

  /** Number of receive requests that can be posted now; 0 without a receive queue. */
  int freeReceives();

  /** Size of the receive queue in requests; 0 without one. */
  int receiveQueueRequests();
}
