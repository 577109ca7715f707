package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RequestData;
import org.jspecify.annotations.Nullable;

/** RDMA WRITEs with their sequence number as immediate. */
final class WriteImmediateFlow extends Flow {
  private final Payload payload;
  private final Window window;
  private final boolean inline;
  private final int size;
  private final int lkey;
  private final int rkey;
  private long first;
  private int content;
  private int immediate;

  WriteImmediateFlow(
      PerfPlan plan,
      int number,
      RcQueuePair queuePair,
      @Nullable Receives receives,
      Payload payload,
      Window window) {
    super(plan, number, queuePair, receives);
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
    immediate = (int) first;
    window.poison();
  }

  @Override
  void post(int index, int count) {
    RcQueuePair queue = queuePair();
    for (int i = index; i < index + count; i++) {
      RequestData request = queue.writeImmediate(window.address(i), rkey, immediate++);
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
