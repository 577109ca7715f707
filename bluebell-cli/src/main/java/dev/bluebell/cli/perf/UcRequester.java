package dev.bluebell.cli.perf;

import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MessageOperations;
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

  static Connection connect(EndSettings leftSettings, EndSettings rightSettings) {
    UcQueuePair left = create(leftSettings);
    UcQueuePair right = create(rightSettings);
    left.connect(right.endpoint(), leftSettings.options());
    right.connect(left.endpoint(), rightSettings.options());
    return new Connection(end(left, leftSettings), end(right, rightSettings));
  }

  private static End end(UcQueuePair queuePair, EndSettings settings) {
    return new End(
        new UcRequester(queuePair), ReceiveQueue.of(queuePair, settings), queuePair.number());
  }

  private static UcQueuePair create(EndSettings settings) {
    UcQueuePairBuilder builder =
        settings
            .domain()
            .ucQueuePair(settings.requests())
            .receiveCompletions(settings.receives())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .receiveQueue(settings.receiveRequests())
            .maxInline(settings.inline());
    return (settings.shared() == null ? builder : builder.receiveFrom(settings.shared())).create();
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
