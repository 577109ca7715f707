package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RequestData;

/** RDMA WRITEs. */
final class WriteFlow extends Flow {
  private final Payload payload;
  private final Window window;
  private final boolean inline;
  private final int size;
  private final int lkey;
  private final int rkey;
  private long first;
  private int content;

  WriteFlow(PerfPlan plan, int number, RcQueuePair queuePair, Payload payload, Window window) {
    super(plan, number, queuePair, null);
    this.payload = payload;
    this.window = window;
    inline = plan.inline();
    size = plan.size();
    lkey = payload.lkey();
    rkey = window.region().rkey();
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
      RequestData request = queue.write(window.address(i), rkey);
      end(
          inline
              ? request.inline(payload.memory(), payload.offset(content), size)
              : request.gather(payload.address(content), size, lkey),
          i);
      content = payload.after(content);
    }
  }

  @Override
  boolean isGood() {
    return window.holds(payload, target(), first);
  }
}
