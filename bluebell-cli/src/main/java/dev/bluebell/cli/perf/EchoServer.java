package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.RcQueuePair;

/** The side that sends back what it got, from where it arrived. */
final class EchoServer extends EchoSide {
  private final Window window;
  private final Window peer;
  private final int size;
  private int immediate;

  EchoServer(
      PerfPlan plan,
      RcQueuePair queuePair,
      CompletionQueue completions,
      Window window,
      Window peer) {
    super(plan, queuePair, completions);
    this.window = window;
    this.peer = peer;
    size = plan.size();
  }

  void start(long first) {
    prepare(first);
    immediate = (int) first;
  }

  @Override
  void arrived(int index) {
    end(
        queuePair()
            .writeImmediate(peer.address(index), peer.region().rkey(), immediate++)
            .gather(window.address(index), size, window.region().lkey()));
  }
}
