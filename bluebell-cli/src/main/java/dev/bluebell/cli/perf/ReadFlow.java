package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RcQueuePair;

/** RDMA READs of the peer's payload into a slot each. */
final class ReadFlow extends Flow {
  private final Payload payload;
  private final Window window;
  private final int size;
  private final int lkey;
  private final int rkey;
  private long first;
  private int content;

  ReadFlow(PerfPlan plan, int number, RcQueuePair queuePair, Payload payload, Window window) {
    super(plan, number, queuePair, null);
    this.payload = payload;
    this.window = window;
    size = plan.size();
    lkey = window.region().lkey();
    rkey = payload.rkey();
  }

  @Override
  void begin(long firstSequence) {
    first = firstSequence;
    content = payload.content(first);
    window.poison();
  }

  @Override
  void post(int index, int count) {
    RcQueuePair queue = queuePair();
    for (int i = index; i < index + count; i++) {
      end(queue.read(payload.address(content), rkey).scatter(window.address(i), size, lkey), i);
      content = payload.after(content);
    }
  }

  @Override
  boolean isGood() {
    return window.holds(payload, target(), first);
  }
}
