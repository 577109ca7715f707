package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcStream;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.StreamModifiers;
import dev.bluebell.verbs.StreamOperations;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.ring.CopyReportMemory;
import dev.bluebell.verbs.ring.StreamRing;
import java.util.stream.IntStream;

/** Implements {@link DcStreamInitiator}. */
public final class DcStreamInitiatorImpl extends DcQueuePairImpl implements DcStreamInitiator {
  private final StreamRing requests;
  private final DcStreamImpl[] streams;

  /** Makes the queue pair of its parts and moves it to RTS. */
  public DcStreamInitiatorImpl(
      QueuePairParts parts,
      LocalAddress address,
      ConnectOptions options,
      int streams,
      CopyReport report) {
    super(parts, address, options, report);
    requests = parts.streams();
    this.streams =
        IntStream.range(0, streams)
            .mapToObj(number -> new DcStreamImpl(this, number))
            .toArray(DcStreamImpl[]::new);
    start();
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
    CopyReportMemory reported = copyReport();
    return requests.on(stream).copyMemory(from, fromKey, to, toKey, length, reported);
  }

  public synchronized void resetStream(int number) {
    lifetime.requireOpen();
    states.modify(DcCommands.resetStream(states.number(), number));
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
