package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RcQueuePair;

/** RDMA WRITEs. */
final class WriteFlow extends DataFlow {
  private final int rkey;

  WriteFlow(PerfPlan plan, int number, RcQueuePair queuePair, Payload payload, Window window) {
    super(plan, number, queuePair, null, payload, window);
    rkey = window.region().rkey();
  }

  @Override
  void post(int index, int count) {
    RcQueuePair queue = queuePair();
    for (int i = index; i < index + count; i++) {
      end(addPayload(queue.write(slot(i), rkey)), i);
    }
  }
}
