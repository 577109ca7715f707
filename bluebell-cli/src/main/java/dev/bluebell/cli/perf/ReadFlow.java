package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RcQueuePair;

/** RDMA READs of the peer's payload. */
final class ReadFlow extends DataFlow {
  private final int lkey;
  private final int rkey;

  ReadFlow(PerfPlan plan, int number, RcQueuePair queuePair, Payload payload, Window window) {
    super(plan, number, queuePair, null, payload, window);
    lkey = window.region().lkey();
    rkey = payload.rkey();
  }

  @Override
  void post(int index, int count) {
    RcQueuePair queue = queuePair();
    for (int i = index; i < index + count; i++) {
      end(queue.read(nextPayload(), rkey).scatter(slot(i), size(), lkey), i);
    }
  }
}
