package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.QueuePair;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import java.util.function.IntFunction;

/** Posts requests to a queue pair of any kind, using {@link Stages}. */
final class Poster {
  private final QueuePair queuePair;
  private final IntFunction<ReliableOperations> destinations;
  private final int targets;

  /**
   * @param destinations starts a request to one of the targets
   * @param targets number of destinations that requests can name; 1 if they name none
   */
  Poster(QueuePair queuePair, IntFunction<ReliableOperations> destinations, int targets) {
    this.queuePair = queuePair;
    this.destinations = destinations;
    this.targets = targets;
  }

  /** The queue pair, for its doorbell and its room. */
  QueuePair queuePair() {
    return queuePair;
  }

  int targets() {
    return targets;
  }

  /** False for a stream: each of its requests is signalled, and it has no NOP. */
  boolean mayBeSilent() {
    return queuePair instanceof OrderedQueuePair;
  }

  /** True when only fenced requests report. */
  boolean reportsFencedOnly() {
    return queuePair instanceof RelaxedRcQueuePair;
  }

  /** Posts a request of a kind that the service supports. */
  void post(Request request) {
    RequestModifiers rest = start(request);
    rest = request.fence ? rest.fence() : rest;
    rest = request.solicited ? rest.solicited() : rest;
    if (request.signaled) {
      rest.signaled(request.id);
    } else {
      rest.unsignaled(request.id);
    }
  }

  private RequestModifiers start(Request request) {
    if (request.kind == RequestKind.NOP) {
      return ((OrderedQueuePair) queuePair).nop();
    }
    ReliableOperations to = destinations.apply(request.target);
    long address = request.remoteAddress;
    int rkey = request.rkey;
    return switch (request.kind) {
      case SEND -> gather(to.send(), request);
      case SEND_IMMEDIATE -> gather(to.sendImmediate(request.immediate), request);
      case WRITE -> gather(to.write(address, rkey), request);
      case WRITE_IMMEDIATE -> gather(to.writeImmediate(address, rkey, request.immediate), request);
      case READ -> scatter(to.read(address, rkey), request);
      default -> request.atomic.apply(to).scatter(request.pieceAddress[0], request.lkey);
    };
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

  private static RequestModifiers gather(RequestData stage, Request request) {
    if (request.inlineBytes >= 0) {
      return stage.inline(request.inline, 0, request.inlineBytes);
    }
    RequestData rest = stage;
    for (int i = 0; i < request.pieces; i++) {
      rest = rest.gather(request.pieceAddress[i], request.pieceBytes[i], request.lkey);
    }
    return rest;
  }
}
