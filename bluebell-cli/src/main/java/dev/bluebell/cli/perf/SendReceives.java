package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.RcQueuePair;

/** Receives for SENDs: a slot for each message. */
final class SendReceives extends Receives {
  private final Window window;
  private final int size;
  private final int lkey;

  SendReceives(RcQueuePair queuePair, int number, int size, Window window) {
    super(queuePair, number, size);
    this.window = window;
    this.size = size;
    lkey = window.region().lkey();
  }

  @Override
  void post(int index, long id) {
    queuePair().receive().scatter(window.address(index), size, lkey).post(id);
  }

  @Override
  int difference(Completion completion, int expected) {
    return completion.hasImmediate() ? 1 : 0;
  }
}
