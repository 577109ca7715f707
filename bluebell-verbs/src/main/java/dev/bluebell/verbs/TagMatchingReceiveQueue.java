package dev.bluebell.verbs;

/**
 * A tag-matching receive queue (TM-SRQ): it puts each message, without its {@link TagHeader}, into
 * the memory of the first tag in its list that matches. A message without a matching tag is
 * unexpected: it goes to a receive request, header first. Reliable connections receive from it.
 * Mirrors {@code verbs.h: IBV_SRQT_TM}.
 *
 * <p>Operations change the list, in the order in which they were posted: they {@linkplain #add add}
 * and {@linkplain #remove remove} tags, and {@linkplain #synchronize report} to the device how many
 * unexpected messages the application has handled. The reports are needed because a message can be
 * on its way to a receive request while its tag is added. The device counts unexpected messages; a
 * tag that is added while its count and the application's differ may not match until they are
 * equal. {@link Completion#wantsSynchronization} says when to report.
 *
 * <p>All completions go to one completion queue: those of operations in order, those of tags in any
 * order. Large messages have two completions: the first with {@link Completion#isTagMatch}, the
 * last with {@link Completion#isTagDone}, which frees the entry in the list.
 *
 * <p>Posting, ringing and counting belong to one thread at a time, polling to one thread. Arming
 * and closing are thread-safe.
 */
public interface TagMatchingReceiveQueue extends AutoCloseable {
  /**
   * Starts to append a tag to the list.
   *
   * @param tag value that a message's tag must have
   * @param mask bits of the tag that count; 0 matches every message
   * @throws IllegalStateException when the list or the queue of operations is full, or another
   *     operation is unfinished
   */
  @CheckReturnValue
  TagBuffer add(long tag, long mask);

  /**
   * Posts the removal of a tag. Its completion, {@link WorkOpcode#TAG_REMOVE}, fails with {@link
   * CompletionStatus#TAG_NOT_FOUND} when a message has already matched the tag.
   *
   * @param handle value that was returned when the tag was added
   * @param operationId id of that completion
   * @return false when a completion has already reported a message for the tag; nothing was posted
   */
  boolean remove(int handle, long operationId);

  /**
   * Posts a report to the device of how many unexpected messages the application has handled.
   *
   * @param handled number of messages, as {@link #unexpected} counts them; the low 16 bits count
   * @param operationId id of the completion, {@link WorkOpcode#TAG_SYNCHRONIZE}
   */
  void synchronize(int handled, long operationId);

  /** Number of unexpected messages whose completions were polled, modulo 2^16. */
  int unexpected();

  /**
   * Makes the device see all operations that were posted.
   *
   * @throws IllegalStateException when an operation is unfinished
   */
  void ringDoorbell();

  /**
   * Starts a receive request: memory for a message that is unexpected or has no tag, and for its
   * header.
   *
   * @throws IllegalStateException when all requests are outstanding, another is unfinished, or the
   *     queue is closed
   */
  @CheckReturnValue
  ReceiveLanding receive();

  /**
   * Makes the device see all receive requests that were posted.
   *
   * @throws IllegalStateException when a request is unfinished
   */
  void ringReceiveDoorbell();

  /**
   * Lets another thread post: the next thread that posts owns the queue.
   *
   * @throws NotOwnerException when it belongs to a thread other than the caller
   */
  void handOver();

  /**
   * Drops the unfinished operation and receive request, if any, after a failure between stages.
   *
   * @return whether there was one
   */
  boolean dropUnfinished();

  /**
   * Number of tags that can be added, as far as the posting thread knows: a stale count is too low.
   * A tag can be added if this or {@link #exactFreeTags} is positive.
   */
  int freeTags();

  /** Exact number of tags that can be added: collects all entries that completions released. */
  int exactFreeTags();

  /** Maximum number of tags in the list. */
  int tags();

  /**
   * Number of operations that can be posted now. Polling the completion of an operation, or of a
   * later one, frees its space.
   */
  int freeOperations();

  /** Number of receive requests that can be posted, as far as is known, as {@link #freeTags}. */
  int freeReceives();

  /** Exact number of receive requests that can be posted, as {@link #exactFreeTags}. */
  int exactFreeReceives();

  /** Maximum number of outstanding receive requests. */
  int requests();

  /**
   * Requests one notification when fewer receive requests are outstanding than a limit, as {@link
   * SharedReceiveQueue#arm(int, Runnable)}.
   */
  void arm(int limit, Runnable handler);

  /**
   * Returns a builder of a connection's end for which the device performs the rendezvous.
   *
   * @throws IllegalStateException when the queue was not created with {@link
   *     TagMatchingReceiveQueueBuilder#rendezvous}
   */
  RendezvousTargetBuilder rendezvousTarget();

  /** Number of the queue, 24 bits. */
  int number();

  /**
   * Destroys the queue. Completions that have not been polled are lost. Idempotent.
   *
   * @throws IllegalStateException when queue pairs still receive from it
   */
  @Override
  void close();
}
