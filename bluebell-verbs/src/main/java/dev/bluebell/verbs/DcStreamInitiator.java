package dev.bluebell.verbs;

/**
 * An initiator of dynamic connections with streams: each request belongs to a stream and names its
 * target. Streams do not wait for each other: requests of one stream complete in order, those of
 * different streams in any order. All requests are signalled, and each completion frees the space
 * of its own request only.
 *
 * <p>A failed request stops only its stream: the stream's requests are flushed until {@link
 * DcStream#reset}. When {@link DcStreamInitiatorBuilder#failures} streams have failed, the whole
 * initiator fails.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface DcStreamInitiator extends QueuePair {
  /**
   * Returns a stream.
   *
   * @param number 0 … {@link #streams} − 1
   * @throws IndexOutOfBoundsException when there is no such stream
   */
  DcStream stream(int number);

  /** Number of streams. */
  int streams();

  /** Prepares a destination, as {@link #targetAddress(DcEndpoint, PathOptions)}. */
  DcTargetAddress targetAddress(DcEndpoint target);

  /**
   * Prepares a destination for {@link DcStream#target}. Requests come from this queue pair's GID.
   *
   * @throws IllegalArgumentException when the target's port has another link layer
   * @throws dev.bluebell.hca.HcaException when the device cannot resolve the route
   */
  DcTargetAddress targetAddress(DcEndpoint target, PathOptions options);

  @Override
  void close();

  /**
   * WQEBBs of the send queue that no outstanding request occupies: those that are {@linkplain
   * #freeWqebbs free}, and those behind an older, outstanding request of another stream. If this is
   * much more than the free ones, a slow stream holds up the queue. Call it on the posting thread;
   * it examines each request from the oldest outstanding one on.
   */
  int releasedWqebbs();
}
