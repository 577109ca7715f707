package dev.bluebell.verbs;

/**
 * A queue pair of any service: it has a send queue, a state, and an end. Its kinds add the
 * operations of their service.
 */
public interface QueuePair extends AutoCloseable {
  /**
   * Makes the device see all send requests that ended since the last ring.
   *
   * @throws ClosedException when the queue pair is closed
   * @throws NotOwnerException when another thread posts
   * @throws IllegalStateException when a request is half built
   */
  void ringDoorbell();

  /**
   * Drops the send or receive request that is half built, if there is one: after a failure between
   * two stages.
   *
   * @return whether there was one
   */
  boolean dropUnfinished();

  /**
   * WQEBBs of the send queue that are free. A request takes one for each 64 bytes that it has
   * begun: 16 and another 16 for each of remote address, gather entry and atomic operands; inline
   * data takes its length and 4 bytes, rounded up to 16. Space is freed when a later signalled
   * request, or the request itself, has been polled from the completion queue.
   */
  int freeWqebbs();

  /**
   * True when the longest request that the queue pair takes fits now, so that the next request is
   * not refused with a {@link QueueFullException}. When it is false, poll the completion queue.
   *
   * <pre>{@code
   * while (!queuePair.hasRoom()) {
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
   * Lets another thread post: the next one that posts has the queue pair. A queue pair belongs to
   * the thread that posts first, until this call, its reset, or the end of that thread, if it was
   * joined. What is posted by the next thread then follows what this one has posted; the program
   * must see to it that it comes later.
   *
   * @throws NotOwnerException when it belongs to another thread than the caller
   */
  void handOver();

  /** WQEBBs of the send queue, 64 bytes each. */
  int sendQueueWqebbs();

  /** Largest send request in bytes. */
  int maxSendWqeBytes();

  /** Number of the queue pair, 24 bits. */
  int number();

  /** Moves the queue pair to the error state: all requests are flushed, also those posted later. */
  void toError();

  /**
   * Empties the queue pair and takes it back to the INIT state, from which it can connect again
   * with a new endpoint. Requests that have not been polled by now never complete.
   *
   * <p>Call it on the thread that posts, while no other thread polls the completion queues. The
   * next thread that posts then has the queue pair.
   *
   * @return which requests those are
   * @throws NotOwnerException when another thread posts, or polls; nothing changed
   */
  PendingRequests reset();

  /**
   * Tells which requests a poll has not told of yet: those that would never complete if the queue
   * pair were reset or closed now. Call it on the thread that posts; polls meanwhile may or may not
   * count.
   */
  PendingRequests pending();

  /**
   * Destroys the queue pair, as {@link #close}, and tells which requests never complete.
   *
   * <p>Call it on the thread that posts, while no other thread polls the completion queues.
   *
   * @return none of them when the queue pair was closed before
   * @throws NotOwnerException when another thread posts, or polls; nothing changed
   */
  PendingRequests destroy();

  /** Asks the device for the queue pair's state and attributes. */
  QueuePairAttributes query();

  /**
   * Says in one paragraph why requests of this queue pair do not complete: what was posted and not
   * rung, what was rung and asks for no completion, and, of a software device, what the device
   * waits for. Call it on the thread that posts; it allocates, and asks the device.
   */
  String diagnose();

  /**
   * Destroys the queue pair. Requests that have not been polled by now never complete. Idempotent.
   */
  @Override
  void close();
}
