package dev.bluebell.cli.perf;

import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UcQueuePairBuilder;
import dev.bluebell.verbs.WriteOperations;

/** Sends by an unreliable connection. */
final class UcRequester extends Requester {
  private final UcQueuePair queuePair;

  private UcRequester(UcQueuePair queuePair) {
    super(queuePair);
    this.queuePair = queuePair;
  }

  /** An end with a queue pair of its own. */
  private record Open(UcQueuePair queuePair, EndSettings settings) implements OpenEnd {
    @Override
    public byte[] address() {
      return queuePair.endpoint().bytes();
    }

    @Override
    public End connect(byte[] peer) {
      queuePair.connect(QueuePairEndpoint.of(peer), settings.options());
      return new End(
          new UcRequester(queuePair), ReceiveQueue.of(queuePair, settings), queuePair.number());
    }
  }

  static OpenEnd open(EndSettings settings) {
    UcQueuePairBuilder builder =
        settings
            .domain()
            .ucQueuePair(settings.requests())
            .receiveCompletions(settings.receives())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .receiveQueue(settings.receiveRequests())
            .maxInline(settings.inline());
    return new Open(
        (settings.shared() == null ? builder : builder.receiveFrom(settings.shared())).create(),
        settings);
  }

  @Override
  MessageOperations messages() {
    return queuePair;
  }

  @Override
  WriteOperations writes() {
    return queuePair;
  }

  @Override
  KeyOperations keys() {
    return queuePair;
  }
}
