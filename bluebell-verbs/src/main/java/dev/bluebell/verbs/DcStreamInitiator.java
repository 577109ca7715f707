package dev.bluebell.verbs;

/**
 * An initiator of dynamic connections with streams: each request is on a stream and names its
 * target. Streams don't wait for each other, so requests complete in any order; those of one stream
 * complete in theirs. All requests are signalled, and each completion frees the space of its own
 * request, whatever became of those before it.
 *
 * <p>A request that fails ends its stream alone: the stream's requests are flushed until {@link
 * DcStream#reset}. When as many streams have failed as the initiator was made for, it fails as a
 * whole.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface DcStreamInitiator extends QueuePair {
  /**
   * A stream.
   *
   * @param number 0 … {@link #streams} − 1
   * @throws IndexOutOfBoundsException when there is no such stream
   */
  DcStream stream(int number);

  /** Streams that there are. */
  int streams();

  /** Makes a destination ready, as {@link #targetAddress(DcEndpoint, PathOptions)}. */
  DcTargetAddress targetAddress(DcEndpoint target);

  /**
   * Makes a destination ready for {@link DcStream#target}. Requests come from this queue pair's
   * GID.
   *
   * @throws IllegalArgumentException when the target's port is of another link layer
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  DcTargetAddress targetAddress(DcEndpoint target, PathOptions options);

  @Override
  void close();

  /**
   * WQEBBs of the send queue that no outstanding request has, wherever they are: those that are
   * {@linkplain #freeWqebbs free in a row}, and those that wait for an older request of another
   * stream. If this is much more than what is free, a slow stream holds the queue up. Call it on
   * the thread that posts; it looks at each request from the oldest outstanding one on.
   */
  int releasedWqebbs();
}
