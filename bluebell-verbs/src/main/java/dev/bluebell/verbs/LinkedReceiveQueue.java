package dev.bluebell.verbs;

/**
 * A receive queue that is independent of any queue pair: a list of requests. Subtypes define whose
 * messages consume them. Mirrors {@code verbs.h: ibv_srq}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Any number of threads may poll
 * completions of its requests, in any order; polling frees the entries. Arming and closing are
 * thread-safe.
 */
public interface LinkedReceiveQueue extends AutoCloseable {
  /**
   * Makes the device see all requests that were posted.
   *
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when the queue belongs to another thread
   * @throws IllegalStateException when a request is unfinished
   */
  void ringDoorbell();

  /**
   * Lets another thread post: the next thread that posts owns the queue.
   *
   * @throws NotOwnerException when it belongs to a thread other than the caller
   */
  void handOver();

  /**
   * Number of requests that can be posted, as far as the posting thread knows: a stale count is too
   * low. Costs one load. A request can be posted if this or {@link #exactFreeReceives} is positive.
   */
  int freeReceives();

  /**
   * Exact number of requests that can be posted: collects all entries that completions released,
   * which costs some time for each now and saves it later.
   */
  int exactFreeReceives();

  /** Maximum number of outstanding requests. */
  int requests();

  /**
   * Requests one notification when fewer requests are outstanding than a limit: an event of type
   * {@link AsyncEvent.Type#RECEIVE_LIMIT} and a call of the handler. When fewer are outstanding
   * already, the event comes at once or with the next message, depending on the device. Arming
   * again replaces the limit and the handler.
   *
   * @param limit 1 … {@link #requests}; 0 for no event
   * @param handler called once for each event, by {@link Device#pollEvent} or {@link
   *     Device#awaitEvent} on the thread that takes the event; it may arm again
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  void arm(int limit, Runnable handler);

  /** Requests an event without a handler, as {@link #arm(int, Runnable)}. */
  default void arm(int limit) {
    arm(limit, () -> {});
  }

  /** Number of the queue, 24 bits. */
  int number();

  /**
   * Destroys the queue. Idempotent.
   *
   * @throws IllegalStateException when an object that was created for this queue alone still uses
   *     it
   */
  @Override
  void close();
}
