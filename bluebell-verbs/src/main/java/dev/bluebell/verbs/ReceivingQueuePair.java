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
   * Posts the receive requests of the next slots once more, as they are: with the memory and the id
   * that they had on the pass before. It writes no request, so it takes the same short time for any
   * number of them. It is for queues whose slots keep their memory: request {@code n} receives
   * where request {@code n - receiveQueueRequests()} did. The device sees the requests after the
   * receive doorbell.
   *
   * @param count 0 to {@link #freeReceives}
   * @throws IllegalArgumentException when {@code count} is negative
   * @throws QueueFullException when the queue has no room for them
   * @throws NotOwnerException when the receive queue belongs to another thread
   * @throws IllegalStateException when another request is unfinished, the queue pair has no receive
   *     queue or one with signatures, fewer than {@link #receiveQueueRequests} requests were posted
   *     since it was created or reset, or a request that was dropped has overwritten a slot and
   *     {@link #receive} has not posted another one there
   */
  void repostReceives(int count);

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
