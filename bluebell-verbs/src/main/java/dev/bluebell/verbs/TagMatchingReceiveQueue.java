package dev.bluebell.verbs;

/**
 * A receive queue that puts each message where its tag says (TM-SRQ): into the memory of the first
 * tag in its list that matches, without the message's {@link TagHeader}. A message that matches
 * none is unexpected: it goes to a receive request, its header first. Reliable connections receive
 * from it. Mirrors {@code verbs.h: IBV_SRQT_TM}.
 *
 * <p>The list changes by operations, in the order in which they were posted: tags are added, {@link
 * #remove removed}, and the device is {@linkplain #synchronize told} how many unexpected messages
 * the application has handled. That is needed because a message can be on its way to a receive
 * request while its tag is added: the device counts unexpected messages, and what is added while
 * its count and the application's differ may wait until they are equal. {@link
 * Completion#wantsSynchronization} says when to tell.
 *
 * <p>Everything is told by one completion queue: operations in their order, tags in any order.
 * Large messages have two completions: {@link Completion#isTagMatch} with the first, {@link
 * Completion#isTagDone} with the last, by which the entry in the list is free again.
 *
 * <p>Posting, ringing and counting belong to one thread at a time, polling to one thread. Arming
 * and closing are thread-safe.
 */
public interface TagMatchingReceiveQueue extends AutoCloseable {
  /**
   * Starts to add a tag to the list, behind all that are in it.
   *
   * @param tag what a message's tag must be
   * @param mask the bits of it that count; 0 matches every message
   * @throws IllegalStateException when the list or the queue of operations is full, or another
   *     operation is half built
   */
  @CheckReturnValue
  TagBuffer add(long tag, long mask);

  /**
   * Posts the removal of a tag. Its completion, {@link WorkOpcode#TAG_REMOVE}, fails with {@link
   * CompletionStatus#TAG_NOT_FOUND} when a message took the tag before.
   *
   * @param handle what the tag was given when it was added
   * @param operationId id of that completion
   * @return false when a completion has told already that a message took the tag; nothing was
   *     posted
   */
  boolean remove(int handle, long operationId);

  /**
   * Posts that the device be told how many unexpected messages the application has handled.
   *
   * @param handled as {@link #unexpected} counts them; 16 bits count
   * @param operationId id of the completion, {@link WorkOpcode#TAG_SYNCHRONIZE}
   */
  void synchronize(int handled, long operationId);

  /** Unexpected messages whose completions were polled, modulo 2^16. */
  int unexpected();

  /**
   * Makes the device see all operations that were posted.
   *
   * @throws IllegalStateException when an operation is half built
   */
  void ringDoorbell();

  /**
   * Starts a receive request: memory for a message that is unexpected or has no tag, and for its
   * header.
   *
   * @throws IllegalStateException when all requests are outstanding, another is half built, or the
   *     queue is closed
   */
  @CheckReturnValue
  ReceiveLanding receive();

  /**
   * Makes the device see all receive requests that were posted.
   *
   * @throws IllegalStateException when a request is half built
   */
  void ringReceiveDoorbell();

  /**
   * Lets another thread post: the next one that posts has the queue.
   *
   * @throws NotOwnerException when it belongs to another thread than the caller
   */
  void handOver();

  /**
   * Drops the operation and the receive request that are half built, if there are such: after a
   * failure between two stages.
   *
   * @return whether there was one
   */
  boolean dropUnfinished();

  /**
   * Tags that can be added, as far as the posting thread knows: the count may be old, and is then
   * too low. A tag can be added as long as either count is positive.
   */
  int freeTags();

  /** Tags that can be added now: takes all entries that completions released. */
  int exactFreeTags();

  /** Most tags in the list. */
  int tags();

  /**
   * Operations that can be posted now. Space is freed when a later signalled operation, or the
   * operation itself, has been polled from the completion queue.
   */
  int freeOperations();

  /** Receive requests that can be posted, as far as is known, as {@link #freeTags}. */
  int freeReceives();

  /** Receive requests that can be posted now, as {@link #exactFreeTags}. */
  int exactFreeReceives();

  /** Most receive requests that can be outstanding. */
  int requests();

  /**
   * Asks to be told once when fewer receive requests are outstanding than a limit, as {@link
   * SharedReceiveQueue#arm(int, Runnable)}.
   */
  void arm(int limit, Runnable handler);

  /**
   * Starts to describe an end of a connection whose rendezvous the device does.
   *
   * @throws IllegalStateException when the queue was not created with {@link
   *     TagMatchingReceiveQueueBuilder#rendezvous}
   */
  RendezvousTargetBuilder rendezvousTarget();

  /** Number of the queue, 24 bits. */
  int number();

  /**
   * Destroys the queue. What has not been polled by now is never told. Idempotent.
   *
   * @throws IllegalStateException when queue pairs still receive from it
   */
  @Override
  void close();
}
