package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.DcStream;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.StreamAtomicScatter;
import dev.bluebell.verbs.StreamData;
import dev.bluebell.verbs.StreamLanding;
import dev.bluebell.verbs.StreamModifiers;
import dev.bluebell.verbs.StreamOperations;
import dev.bluebell.verbs.StreamScatter;
import java.util.List;

/** Posts to one stream of a DC initiator. */
final class StreamPoster implements Poster {
  private final DcStreamInitiator initiator;
  private final DcStream stream;
  private final List<DcTargetAddress> targets;

  StreamPoster(DcStreamInitiator initiator, DcStream stream, List<DcTargetAddress> targets) {
    this.initiator = initiator;
    this.stream = stream;
    this.targets = targets;
  }

  @Override
  public DcStreamInitiator queuePair() {
    return initiator;
  }

  @Override
  public boolean mayBeSilent() {
    return false;
  }

  @Override
  public boolean hasMasks() {
    return true;
  }

  @Override
  public int targets() {
    return targets.size();
  }

  @Override
  public void post(Request request) {
    StreamOperations to = stream.target(targets.get(request.target));
    long address = request.remoteAddress;
    int rkey = request.rkey;
    switch (request.kind) {
      case SEND -> end(gather(to.send(), request), request);
      case SEND_IMMEDIATE -> end(gather(to.sendImmediate(request.immediate), request), request);
      case WRITE -> end(gather(to.write(address, rkey), request), request);
      case WRITE_IMMEDIATE ->
          end(gather(to.writeImmediate(address, rkey, request.immediate), request), request);
      case READ -> end(scatter(to.read(address, rkey), request), request);
      case COMPARE_AND_SWAP ->
          land(
              to.compareAndSwap(address, rkey, request.first.low(), request.second.low()), request);
      case FETCH_AND_ADD -> land(to.fetchAndAdd(address, rkey, request.first.low()), request);
      case MASKED_COMPARE_AND_SWAP -> land(swap(to, request), request);
      default -> land(add(to, request), request);
    }
  }

  private static StreamAtomicScatter swap(StreamOperations to, Request request) {
    long address = request.remoteAddress;
    int rkey = request.rkey;
    return switch (request.operandBytes) {
      case 4 ->
          to.maskedCompareAndSwap4(
              address,
              rkey,
              (int) request.first.low(),
              (int) request.second.low(),
              (int) request.firstMask.low(),
              (int) request.secondMask.low());
      case 8 ->
          to.maskedCompareAndSwap8(
              address,
              rkey,
              request.first.low(),
              request.second.low(),
              request.firstMask.low(),
              request.secondMask.low());
      default ->
          to.maskedCompareAndSwap16(
              address, rkey, request.first, request.second, request.firstMask, request.secondMask);
    };
  }

  private static StreamAtomicScatter add(StreamOperations to, Request request) {
    long address = request.remoteAddress;
    int rkey = request.rkey;
    return switch (request.operandBytes) {
      case 4 ->
          to.maskedFetchAndAdd4(
              address, rkey, (int) request.first.low(), (int) request.firstMask.low());
      case 8 -> to.maskedFetchAndAdd8(address, rkey, request.first.low(), request.firstMask.low());
      default -> to.maskedFetchAndAdd16(address, rkey, request.first, request.firstMask);
    };
  }

  private static void land(StreamAtomicScatter stage, Request request) {
    end(stage.scatter(request.pieceAddress[0], request.lkey), request);
  }

  private static StreamModifiers scatter(StreamLanding stage, Request request) {
    if (request.pieces == 0) {
      return stage.nowhere();
    }
    StreamScatter rest =
        stage.scatter(request.pieceAddress[0], request.pieceBytes[0], request.lkey);
    for (int i = 1; i < request.pieces; i++) {
      rest = rest.scatter(request.pieceAddress[i], request.pieceBytes[i], request.lkey);
    }
    return rest;
  }

  private static StreamModifiers gather(StreamData stage, Request request) {
    if (request.inlineBytes >= 0) {
      return stage.inline(request.inline, 0, request.inlineBytes);
    }
    StreamData rest = stage;
    for (int i = 0; i < request.pieces; i++) {
      rest = rest.gather(request.pieceAddress[i], request.pieceBytes[i], request.lkey);
    }
    return rest;
  }

  private static void end(StreamModifiers stage, Request request) {
    StreamModifiers rest = request.fence ? stage.fence() : stage;
    rest = request.solicited ? rest.solicited() : rest;
    rest.signaled(request.id);
  }
}
