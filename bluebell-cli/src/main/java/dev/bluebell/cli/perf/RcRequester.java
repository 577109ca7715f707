package dev.bluebell.cli.perf;

import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MessageOperations;
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

  static Connection connect(EndSettings leftSettings, EndSettings rightSettings) {
    RcQueuePair left = create(leftSettings);
    RcQueuePair right = create(rightSettings);
    left.connect(right.endpoint(), leftSettings.options());
    right.connect(left.endpoint(), rightSettings.options());
    return new Connection(end(left, leftSettings), end(right, rightSettings));
  }

  private static End end(RcQueuePair queuePair, EndSettings settings) {
    return new End(
        new RcRequester(queuePair), ReceiveQueue.of(queuePair, settings), queuePair.number());
  }

  private static RcQueuePair create(EndSettings settings) {
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
      return builder.receiveFrom(settings.tags()).create();
    }
    return (settings.shared() == null ? builder : builder.receiveFrom(settings.shared())).create();
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
