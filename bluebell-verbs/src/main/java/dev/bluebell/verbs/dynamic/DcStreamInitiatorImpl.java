package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcStream;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.StreamModifiers;
import dev.bluebell.verbs.StreamOperations;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.QueuePairImpl;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.pair.StateMachine;
import dev.bluebell.verbs.ring.CopyReportMemory;
import dev.bluebell.verbs.ring.StreamRing;
import java.util.stream.IntStream;

/** Implements {@link DcStreamInitiator}. */
public final class DcStreamInitiatorImpl extends QueuePairImpl implements DcStreamInitiator {
  private final DcPath path;
  private final StateMachine states;
  private final StreamRing requests;
  private final DcStreamImpl[] streams;
  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to RTS.
   *
   * @param report closed with the queue pair
   */
  public DcStreamInitiatorImpl(
      QueuePairParts parts, DcSettings settings, int streams, CopyReport report) {
    super(parts);
    this.report = report;
    states = parts.states();
    path = new DcPath(parts.device(), settings);
    requests = parts.streams();
    this.streams =
        IntStream.range(0, streams)
            .mapToObj(number -> new DcStreamImpl(this, number))
            .toArray(DcStreamImpl[]::new);
    start();
  }

  @Override
  public void start() {
    path.start(states, report);
  }

  @Override
  public DcStream stream(int number) {
    return streams[number];
  }

  @Override
  public int streams() {
    return streams.length;
  }

  public StreamOperations start(DcTargetAddressImpl target, int stream) {
    return requests.to(target.words(), stream);
  }

  public StreamModifiers copyMemory(
      int stream, long from, int fromKey, long to, int toKey, int length) {
    CopyReportMemory reported = report.required(lifetime);
    return requests.on(stream).copyMemory(from, fromKey, to, toKey, length, reported);
  }

  public synchronized void resetStream(int number) {
    lifetime.requireOpen();
    states.modify(DcCommands.resetStream(states.number(), number));
  }

  @Override
  public DcTargetAddress targetAddress(DcEndpoint target) {
    return targetAddress(target, PathOptions.DEFAULT);
  }

  @Override
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

  @Override
  public int freeWqebbs() {
    return requests.freeWqebbs();
  }

  @Override
  public int releasedWqebbs() {
    return requests.releasedWqebbs();
  }

  @Override
  public boolean hasRoom() {
    return requests.hasRoom();
  }
}
