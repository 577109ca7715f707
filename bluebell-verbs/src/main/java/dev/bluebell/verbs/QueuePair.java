package dev.bluebell.verbs;

/**
 * A queue pair of any service, with a send queue and a state. Subtypes add the operations of their
 * service.
 */
public interface QueuePair extends AutoCloseable {
  /**
   * Rings the doorbell: makes the device see all send requests that ended since the last time.
   *
   * @throws ClosedException when the queue pair is closed
   * @throws NotOwnerException when the queue pair belongs to another thread
   * @throws IllegalStateException when a request is unfinished
   */
  void ringDoorbell();

  /**
   * Drops the unfinished send or receive request, if there is one, after a failure between stages.
   * A request in a queue that belongs to another thread is not dropped.
   *
   * @return whether there was one
   */
  boolean dropUnfinished();

  /**
   * Number of free WQEBBs of the send queue. A request takes one per started 64 bytes: 16 bytes,
   * plus 16 each for remote address, atomic operands and every gather entry; inline data takes its
   * length plus 4 bytes, rounded up to 16. An XRC request has 16 bytes more, and one that names its
   * destination (datagrams, dynamic connections) up to 48. {@link KeyOperations} lists the sizes of
   * its own requests, and {@link MaskedAtomicOperations} those of masked atomics. Polling the
   * completion of the request, or of a later one, frees its space.
   */
  int freeWqebbs();

  /**
   * True when there is room for a request of {@link #maxSendWqeBytes}, so that the next request
   * throws no {@link QueueFullException}, unless it is a longer one of {@link KeyOperations}. When
   * it is false, ring the doorbell for the requests that were posted, and poll the completion
   * queue.
   *
   * <pre>{@code
   * while (!queuePair.hasRoom()) {
   *   queuePair.ringDoorbell(); // requests that were not rung never complete
   *   completions.poll(handler);
   * }
   * queuePair.write(remote).gather(memory, 0, 64).signaled(1);
   * }</pre>
   *
   * @throws ClosedException when the queue pair is closed
   * @throws IllegalStateException when there will never be room, because no outstanding request is
   *     signalled
   */
  boolean hasRoom();

  /**
   * Releases those of its queues, of send and of receive requests, that belong to the caller. The
   * next thread that posts to a queue owns it, until it calls this method, resets the queue pair or
   * ends; join an ended thread before another one takes over. The next thread's requests follow
   * those of this thread; the application must order the two threads.
   *
   * @throws NotOwnerException when the send queue belongs to another thread, unless the receive
   *     queue belongs to the caller
   */
  void handOver();

  /** WQEBBs of the send queue, 64 bytes each. */
  int sendQueueWqebbs();

  /** Largest send request in bytes, apart from those of {@link KeyOperations}. */
  int maxSendWqeBytes();

  /**
   * Number of the queue pair, 24 bits. After the queue pair is closed, the device may give the
   * number to another one.
   */
  int number();

  /** Moves the queue pair to the error state: all requests are flushed, even those posted later. */
  void toError();

  /**
   * Empties the queue pair and returns it to the INIT state, from which it can connect again with a
   * new endpoint. Requests whose completions have not been polled never complete.
   *
   * <p>Call it on the posting thread, while no other thread polls the completion queues. The next
   * thread that posts then owns the queue pair.
   *
   * @return those requests
   * @throws NotOwnerException when another thread owns the queue pair or a completion queue;
   *     nothing changed
   */
  PendingRequests reset();

  /**
   * Returns the requests whose completions have not been polled: those that would never complete if
   * the queue pair were reset or closed now. Call it on the posting thread; concurrent polls may or
   * may not count.
   *
   * @throws ClosedException when the queue pair is closed: {@link #destroy} closes it and returns
   *     them
   */
  PendingRequests pending();

  /**
   * Destroys the queue pair, as {@link #close}, and returns the requests that never complete.
   *
   * <p>Call it on the posting thread, while no other thread polls the completion queues.
   *
   * @return those requests; when the queue pair was closed before, those that {@link #close}
   *     dropped. A second call returns none
   * @throws NotOwnerException when another thread owns the queue pair or a completion queue;
   *     nothing changed
   */
  PendingRequests destroy();

  /** Asks the device for the queue pair's state and attributes. */
  QueuePairAttributes query();

  /**
   * Explains in one paragraph why requests of this queue pair do not complete: which are posted but
   * not rung, which are rung but unsignalled, and what a software device waits for. The cause comes
   * first, if one is known, then the details. Call it on the posting thread; it allocates and
   * queries the device.
   */
  String diagnose();

  /**
   * Destroys the queue pair. Requests whose completions have not been polled never complete. Before
   * you close a queue pair that may be receiving a message from a {@link SharedReceiveQueue}, see
   * there. Idempotent.
   */
  @Override
  void close();
}
