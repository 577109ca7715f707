package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RcQueuePair;
import org.jspecify.annotations.Nullable;

/** RDMA WRITEs with their sequence number as immediate. */
final class WriteImmediateFlow extends DataFlow {
  private final int rkey;

  WriteImmediateFlow(
      PerfPlan plan,
      int number,
      RcQueuePair queuePair,
      @Nullable Receives receives,
      Payload payload,
      Window window) {
    super(plan, number, queuePair, receives, payload, window);
    rkey = window.region().rkey();
  }

  @Override
  void post(int index, int count) {
    RcQueuePair queue = queuePair();
    for (int i = index; i < index + count; i++) {
      end(addPayload(queue.writeImmediate(slot(i), rkey, immediate(i))), i);
    }
  }
}
