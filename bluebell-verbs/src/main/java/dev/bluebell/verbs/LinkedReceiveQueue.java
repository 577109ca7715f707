package dev.bluebell.verbs;

/**
 * A receive queue that is an object of its own, and so nobody's alone: a list of requests. A
 * subclass says whose messages take them. Mirrors {@code verbs.h: ibv_srq}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Completions of its requests may
 * be polled by any number of threads, and give the entries back in whatever order they are polled.
 * Arming and closing are thread-safe.
 */
public interface LinkedReceiveQueue extends AutoCloseable {
  /**
   * Makes the device see all requests that were posted.
   *
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when another thread posts
   * @throws IllegalStateException when a request is half built
   */
  void ringDoorbell();

  /**
   * Lets another thread post: the next one that posts has the queue.
   *
   * @throws NotOwnerException when it belongs to another thread than the caller
   */
  void handOver();

  /**
   * Requests that can be posted, as far as the posting thread knows: the count may be old, and is
   * then too low. Costs one load. A request can be posted as long as either count is positive.
   */
  int freeReceives();

  /**
   * Requests that can be posted now: takes all entries that completions released. Costs some time
   * for each of them, and spares it later.
   */
  int exactFreeReceives();

  /** Most requests that can be outstanding. */
  int requests();

  /**
   * Asks to be told once when fewer requests are outstanding than a limit: by an event of type
   * {@link AsyncEvent.Type#RECEIVE_LIMIT}, and by a handler. When fewer are outstanding already,
   * the event comes at once or with the next message, as the device has it. Arming again replaces
   * the limit and the handler.
   *
   * @param limit 1 … {@link #requests}; 0 for no event
   * @param handler called once for each event, in {@link Device#pollEvent} or {@link
   *     Device#awaitEvent} on the thread that takes it; it may arm again
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  void arm(int limit, Runnable handler);

  /** Asks for an event without a handler, as {@link #arm(int, Runnable)}. */
  void arm(int limit);

  /** Number of the queue, 24 bits. */
  int number();

  /**
   * Destroys the queue. Idempotent.
   *
   * @throws IllegalStateException when something that was made for this queue alone still uses it
   */
  @Override
  void close();
}
