package dev.bluebell.verbs;

/**
 * An initiator of dynamic connections (DCI): each request names the target that it goes to. The
 * device connects to a target when it needs to, and disconnects by itself. Requests complete in the
 * order in which they were posted, whatever targets they go to, and are as reliable as those of a
 * connection. It receives nothing, needs no connection and is ready from the start.
 *
 * <p>The device is connected to one target at a time: a request to another one starts when all
 * before it are acknowledged.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface DcInitiator extends OrderedQueuePair, CopyOperations<RequestModifiers> {
  /** Names the target of the next request, which then starts. */
  @CheckReturnValue
  ReliableOperations target(DcTargetAddress target);

  @Override
  void close();

  /** Makes a destination ready, as {@link #targetAddress(DcEndpoint, PathOptions)}. */
  DcTargetAddress targetAddress(DcEndpoint target);

  /**
   * Makes a destination ready for {@link #target}. Requests come from this queue pair's GID.
   *
   * @throws IllegalArgumentException when the target's port is of another link layer
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  DcTargetAddress targetAddress(DcEndpoint target, PathOptions options);
}
