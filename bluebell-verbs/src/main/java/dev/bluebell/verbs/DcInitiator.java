package dev.bluebell.verbs;

/**
 * An initiator of dynamic connections (DCI): each request names its target. The device connects and
 * disconnects as needed. Requests complete in the order in which they were posted, whatever their
 * targets, and are as reliable as those of a connection. An initiator receives nothing, needs no
 * connection and is ready when created.
 *
 * <p>It is connected to one target at a time: a request to another target starts when all requests
 * before it are acknowledged.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface DcInitiator extends OrderedQueuePair, CopyOperations<RequestModifiers> {
  /** Starts a request to a target. */
  @CheckReturnValue
  ReliableOperations target(DcTargetAddress target);

  @Override
  void close();

  /** Prepares a destination, as {@link #targetAddress(DcEndpoint, PathOptions)}. */
  DcTargetAddress targetAddress(DcEndpoint target);

  /**
   * Prepares a destination for {@link #target}. Requests come from this queue pair's GID.
   *
   * @throws IllegalArgumentException when the target's port has another link layer
   * @throws dev.bluebell.hca.HcaException when the device cannot resolve the route
   */
  DcTargetAddress targetAddress(DcEndpoint target, PathOptions options);
}
