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
public final class DcInitiator extends OrderedQueuePair
    implements CopyOperations<RequestModifiers> {
  private final DcPath path;
  private final StateMachine states;
  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to RTS.
   *
   * @param report which the queue pair closes at its end
   */
  DcInitiator(QueuePairParts parts, DcSettings settings, CopyReport report) {
    super(parts);
    this.report = report;
    states = parts.states();
    path = new DcPath(parts.device(), settings);
    start();
  }

  @Override
  void start() {
    path.start(states, report);
  }

  /** Names the target of the next request, which then starts. */
  @CheckReturnValue
  public ReliableOperations target(DcTargetAddress target) {
    return send.to(target.words());
  }

  @Override
  @CheckReturnValue
  public RequestModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    MemoryRegion reported = report.required(lifetime);
    return send.copyMemory(from, fromKey, to, toKey, length, reported.address(), reported.lkey());
  }

  @Override
  public synchronized void close() {
    super.close();
    report.close();
  }

  /** Makes a destination ready, as {@link #targetAddress(DcEndpoint, PathOptions)}. */
  public DcTargetAddress targetAddress(DcEndpoint target) {
    return targetAddress(target, PathOptions.DEFAULT);
  }

  /**
   * Makes a destination ready for {@link #target}. Requests come from this queue pair's GID.
   *
   * @throws IllegalArgumentException when the target's port is of another link layer
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  public DcTargetAddress targetAddress(DcEndpoint target, PathOptions options) {
    lifetime.requireOpen();
    return path.to(target, options);
  }
}
