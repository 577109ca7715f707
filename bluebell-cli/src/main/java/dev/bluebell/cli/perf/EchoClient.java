package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;

/** The client of the echo, which starts messages and gets them back. */
final class EchoClient extends EchoSide {
  private static final int BATCH = 32;

  private final Payload payload;
  private final int depth;
  private final int batch;
  private final int size;
  private final Window peer;
  private int posted;
  private int target;
  private int content;
  private int immediate;

  EchoClient(
      PerfPlan plan,
      End end,
      CompletionQueue completions,
      LocalWindow window,
      Window peer,
      Payload payload) {
    super(plan, end, completions, window);
    this.payload = payload;
    this.peer = peer;
    depth = plan.depth();
    batch = Math.min(BATCH, depth);
    size = plan.size();
  }

  @Override
  void start(int messages, long first) {
    super.start(messages, first);
    posted = 0;
    target = messages;
    content = payload.content(first);
    immediate = (int) first;
  }

  @Override
  int advance() {
    fill();
    return poll();
  }

  /** Posts messages up to the queue depth. */
  void fill() {
    int room = Math.min(target, arrived() + depth) - posted;
    while (room >= batch || room > 0 && room == target - posted) {
      int count = Math.min(room, batch);
      post(count);
      room -= count;
    }
  }

  private void post(int count) {
    Requester requester = requester();
    int rkey = peer.rkey();
    int lkey = payload.lkey();
    for (int i = 0; i < count; i++) {
      end(
          requester
              .writes()
              .writeImmediate(peer.address(posted), rkey, immediate)
              .gather(payload.address(content), size, lkey));
      content = payload.after(content);
      immediate++;
      posted++;
    }
    requester.ringDoorbell();
  }

  @Override
  void arrived(int index) {
    // Nothing to do here: fill() posts the next message.
  }
}
