package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import java.util.function.IntFunction;

/** Posts to queue pairs that have all operations: RC, XRC and DC. */
final class ReliablePoster implements Poster {
  private final OrderedQueuePair queuePair;
  private final IntFunction<ReliableOperations> destinations;
  private final int targets;

  /**
   * @param destinations starts a request to one of the targets
   */
  ReliablePoster(
      OrderedQueuePair queuePair, IntFunction<ReliableOperations> destinations, int targets) {
    this.queuePair = queuePair;
    this.destinations = destinations;
    this.targets = targets;
  }

  @Override
  public OrderedQueuePair queuePair() {
    return queuePair;
  }

  @Override
  public boolean hasMasks() {
    return true;
  }

  @Override
  public int targets() {
    return targets;
  }

  @Override
  public void post(Request request) {
    if (request.kind == RequestKind.NOP) {
      end(queuePair.nop(), request);
      return;
    }
    ReliableOperations to = destinations.apply(request.target);
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

  private static AtomicScatter swap(ReliableOperations to, Request request) {
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

  private static AtomicScatter add(ReliableOperations to, Request request) {
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

  private static void land(AtomicScatter stage, Request request) {
    end(stage.scatter(request.pieceAddress[0], request.lkey), request);
  }

  private static RequestModifiers scatter(RequestLanding stage, Request request) {
    if (request.pieces == 0) {
      return stage.nowhere();
    }
    RequestScatter rest =
        stage.scatter(request.pieceAddress[0], request.pieceBytes[0], request.lkey);
    for (int i = 1; i < request.pieces; i++) {
      rest = rest.scatter(request.pieceAddress[i], request.pieceBytes[i], request.lkey);
    }
    return rest;
  }

  /** Adds the data of a message, for all services whose requests are ordered. */
  static RequestModifiers gather(RequestData stage, Request request) {
    if (request.inlineBytes >= 0) {
      return stage.inline(request.inline, 0, request.inlineBytes);
    }
    RequestData rest = stage;
    for (int i = 0; i < request.pieces; i++) {
      rest = rest.gather(request.pieceAddress[i], request.pieceBytes[i], request.lkey);
    }
    return rest;
  }

  /** Adds the flags and ends a request. */
  static void end(RequestModifiers stage, Request request) {
    RequestModifiers rest = request.fence ? stage.fence() : stage;
    rest = request.solicited ? rest.solicited() : rest;
    if (request.signaled) {
      rest.signaled(request.id);
    } else {
      rest.unsignaled(request.id);
    }
  }
}
