package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RcQueuePair;
import org.jspecify.annotations.Nullable;

/** SENDs, each into the receive request that was posted for it. */
final class SendFlow extends DataFlow {
  SendFlow(
      PerfPlan plan,
      int number,
      RcQueuePair queuePair,
      @Nullable Receives receives,
      Payload payload,
      Window window) {
    super(plan, number, queuePair, receives, payload, window);
  }

  @Override
  void post(int index, int count) {
    RcQueuePair queue = queuePair();
    for (int i = index; i < index + count; i++) {
      end(addPayload(queue.send()), i);
    }
  }
}
