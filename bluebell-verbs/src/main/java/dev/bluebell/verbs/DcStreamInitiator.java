package dev.bluebell.verbs;

import dev.bluebell.verbs.ring.StreamRing;
import java.util.stream.IntStream;

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
public final class DcStreamInitiator extends QueuePair {
  private final DcPath path;
  private final StateMachine states;
  private final StreamRing requests;
  private final DcStream[] streams;
  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to RTS.
   *
   * @param report which the queue pair closes at its end
   */
  DcStreamInitiator(QueuePairParts parts, DcSettings settings, int streams, CopyReport report) {
    super(parts);
    this.report = report;
    states = parts.states();
    path = new DcPath(parts.device(), settings);
    requests = parts.streams();
    this.streams =
        IntStream.range(0, streams)
            .mapToObj(number -> new DcStream(this, number))
            .toArray(DcStream[]::new);
    start();
  }

  @Override
  void start() {
    path.start(states, report);
  }

  /**
   * A stream.
   *
   * @param number 0 … {@link #streams} − 1
   * @throws IndexOutOfBoundsException when there is no such stream
   */
  public DcStream stream(int number) {
    return streams[number];
  }

  /** Streams that there are. */
  public int streams() {
    return streams.length;
  }

  StreamOperations start(DcTargetAddress target, int stream) {
    return requests.to(target.words(), stream);
  }

  StreamModifiers copyMemory(int stream, long from, int fromKey, long to, int toKey, int length) {
    MemoryRegion reported = report.required(lifetime);
    return requests.copyMemory(
        stream, from, fromKey, to, toKey, length, reported.address(), reported.lkey());
  }

  synchronized void resetStream(int number) {
    lifetime.requireOpen();
    states.modify(DcCommands.resetStream(states.number(), number));
  }

  /** Makes a destination ready, as {@link #targetAddress(DcEndpoint, PathOptions)}. */
  public DcTargetAddress targetAddress(DcEndpoint target) {
    return targetAddress(target, PathOptions.DEFAULT);
  }

  /**
   * Makes a destination ready for {@link DcStream#target}. Requests come from this queue pair's
   * GID.
   *
   * @throws IllegalArgumentException when the target's port is of another link layer
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  public DcTargetAddress targetAddress(DcEndpoint target, PathOptions options) {
    lifetime.requireOpen();
    return path.to(target, options);
  }

  @Override
  public synchronized void close() {
    super.close();
    report.close();
  }

  @Override
  public void ringDoorbell() {
    requests.ringDoorbell();
  }

  /**
   * WQEBBs of the send queue that are free in a row from where the next request starts. Each
   * completion that was polled frees those of its request, and they count from when all before them
   * are free, too. {@link #releasedWqebbs} counts them at once.
   */
  @Override
  public int freeWqebbs() {
    return requests.freeWqebbs();
  }

  /**
   * WQEBBs of the send queue that no outstanding request has, wherever they are: those that are
   * {@linkplain #freeWqebbs free in a row}, and those that wait for an older request of another
   * stream. If this is much more than what is free, a slow stream holds the queue up. Call it on
   * the thread that posts; it looks at each request from the oldest outstanding one on.
   */
  public int releasedWqebbs() {
    return requests.releasedWqebbs();
  }

  @Override
  public boolean hasRoom() {
    return requests.hasRoom();
  }
}
