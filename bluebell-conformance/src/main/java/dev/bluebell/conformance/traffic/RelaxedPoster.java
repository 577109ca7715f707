package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.RelaxedData;
import dev.bluebell.verbs.RelaxedLanding;
import dev.bluebell.verbs.RelaxedModifiers;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.RelaxedScatter;
import dev.bluebell.verbs.RequestModifiers;

/** Posts to reliable connections that report only what is signalled and fenced. */
final class RelaxedPoster implements Poster {
  private final RelaxedRcQueuePair queuePair;

  RelaxedPoster(RelaxedRcQueuePair queuePair) {
    this.queuePair = queuePair;
  }

  @Override
  public RelaxedRcQueuePair queuePair() {
    return queuePair;
  }

  @Override
  public boolean reportsFencedOnly() {
    return true;
  }

  @Override
  public int targets() {
    return 1;
  }

  @Override
  public void post(Request request) {
    long address = request.remoteAddress;
    int rkey = request.rkey;
    switch (request.kind) {
      case NOP -> ReliablePoster.end(queuePair.nop(), request);
      case SEND -> end(gather(queuePair.send(), request), request);
      case SEND_IMMEDIATE ->
          end(gather(queuePair.sendImmediate(request.immediate), request), request);
      case WRITE -> end(gather(queuePair.write(address, rkey), request), request);
      case WRITE_IMMEDIATE ->
          end(gather(queuePair.writeImmediate(address, rkey, request.immediate), request), request);
      case READ -> read(queuePair.read(address, rkey), request);
      case COMPARE_AND_SWAP ->
          end(
              queuePair
                  .compareAndSwap(address, rkey, request.first.low(), request.second.low())
                  .scatter(request.pieceAddress[0], request.lkey),
              request);
      default ->
          end(
              queuePair
                  .fetchAndAdd(address, rkey, request.first.low())
                  .scatter(request.pieceAddress[0], request.lkey),
              request);
    }
  }

  private static void read(RelaxedLanding landing, Request request) {
    if (request.pieces == 0) {
      end(landing.nowhere(), request);
      return;
    }
    RelaxedScatter rest =
        landing.scatter(request.pieceAddress[0], request.pieceBytes[0], request.lkey);
    for (int i = 1; i < request.pieces; i++) {
      rest = rest.scatter(request.pieceAddress[i], request.pieceBytes[i], request.lkey);
    }
    end(rest, request);
  }

  private static RelaxedModifiers gather(RelaxedData stage, Request request) {
    if (request.inlineBytes >= 0) {
      return stage.inline(request.inline, 0, request.inlineBytes);
    }
    RelaxedData rest = stage;
    for (int i = 0; i < request.pieces; i++) {
      rest = rest.gather(request.pieceAddress[i], request.pieceBytes[i], request.lkey);
    }
    return rest;
  }

  private static void end(RelaxedModifiers stage, Request request) {
    RelaxedModifiers rest = request.solicited ? stage.solicited() : stage;
    if (request.fence) {
      RequestModifiers fenced = rest.fence();
      if (request.signaled) {
        fenced.signaled(request.id);
      } else {
        fenced.unsignaled(request.id);
      }
    } else {
      rest.unsignaled(request.id);
    }
  }
}
