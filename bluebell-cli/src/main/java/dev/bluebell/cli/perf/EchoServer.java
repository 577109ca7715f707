package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;

/** The server of the echo, which sends each message back from where it arrived. */
final class EchoServer extends EchoSide {
  private final Window peer;
  private final int size;
  private final int lkey;
  private final int rkey;
  private int immediate;

  EchoServer(PerfPlan plan, End end, CompletionQueue completions, LocalWindow window, Window peer) {
    super(plan, end, completions, window);
    this.peer = peer;
    size = plan.size();
    lkey = window.region().lkey();
    rkey = peer.rkey();
  }

  @Override
  void start(int messages, long first) {
    super.start(messages, first);
    immediate = (int) first;
  }

  @Override
  int advance() {
    int done = poll();
    if (done > 0) {
      requester().ringDoorbell();
    }
    return done;
  }

  @Override
  void arrived(int index) {
    end(
        requester()
            .writes()
            .writeImmediate(peer.address(index), rkey, immediate++)
            .gather(window().address(index), size, lkey));
  }
}
