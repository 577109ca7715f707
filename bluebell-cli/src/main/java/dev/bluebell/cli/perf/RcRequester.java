package dev.bluebell.cli.perf;

import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;

/** Sends by a reliable connection. */
final class RcRequester extends Requester {
  private final RcQueuePair queuePair;

  private RcRequester(RcQueuePair queuePair) {
    super(queuePair);
    this.queuePair = queuePair;
  }

  /** An end with a queue pair of its own. */
  private record Open(RcQueuePair queuePair, EndSettings settings) implements OpenEnd {
    @Override
    public byte[] address() {
      return queuePair.endpoint().bytes();
    }

    @Override
    public End connect(byte[] peer) {
      queuePair.connect(QueuePairEndpoint.of(peer), settings.options());
      return new End(
          new RcRequester(queuePair), ReceiveQueue.of(queuePair, settings), queuePair.number());
    }
  }

  static OpenEnd open(EndSettings settings) {
    RcQueuePairBuilder builder =
        settings
            .domain()
            .rcQueuePair(settings.requests())
            .receiveCompletions(settings.receives())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .receiveQueue(settings.receiveRequests())
            .maxInline(settings.inline())
            .memoryCopies(settings.copies());
    if (settings.tags() != null) {
      return new Open(builder.receiveFrom(settings.tags()).create(), settings);
    }
    return new Open(
        (settings.shared() == null ? builder : builder.receiveFrom(settings.shared())).create(),
        settings);
  }

  @Override
  RequestModifiers copy(long from, int fromKey, long to, int toKey, int length) {
    return queuePair.copyMemory(from, fromKey, to, toKey, length);
  }

  @Override
  MessageOperations messages() {
    return queuePair;
  }

  @Override
  ReliableOperations reliable() {
    return queuePair;
  }

  @Override
  KeyOperations keys() {
    return queuePair;
  }
}
