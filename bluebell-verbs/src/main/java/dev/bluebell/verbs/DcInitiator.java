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
public final class DcInitiator extends OrderedQueuePair {
  private final DcPath path;
  private final StateMachine states;

  /** Makes the queue pair of its parts and moves it to RTS. */
  DcInitiator(QueuePairParts parts, DcSettings settings) {
    super(parts);
    states = parts.states();
    path = new DcPath(parts.device(), settings);
    start();
  }

  @Override
  void start() {
    path.start(states);
  }

  /** Names the target of the next request, which then starts. */
  public ReliableOperations target(DcTargetAddress target) {
    return send.to(target.words());
  }

  /** Makes a destination ready, as {@link #targetAddress(DcEndpoint, PathOptions)}. */
  public DcTargetAddress targetAddress(DcEndpoint target) {
    return targetAddress(target, PathOptions.DEFAULT);
  }

  /**
   * Makes a destination ready for {@link #target}. Requests come from this queue pair's GID.
   *
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  public DcTargetAddress targetAddress(DcEndpoint target, PathOptions options) {
    lifetime.requireOpen();
    return path.to(target, options);
  }
}
