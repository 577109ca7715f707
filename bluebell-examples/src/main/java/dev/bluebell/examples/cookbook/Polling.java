package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.RcQueuePair;

/** Helpers that all programs of the cookbook use. */
final class Polling {
  private Polling() {}

  /**
   * Connects two queue pairs of one process; those of different processes exchange endpoints over a
   * network.
   */
  static void connect(RcQueuePair left, RcQueuePair right) {
    left.connect(right.endpoint());
    right.connect(left.endpoint());
  }

  /** Polls until so many requests are done. */
  static void await(CompletionQueue completions, int count, CompletionHandler handler) {
    for (int done = 0; done < count; ) {
      int found = completions.poll(handler, count - done);
      done += found;
      if (found == 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Throws an exception that explains a failed request. */
  static void requireSuccess(Completion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(completion.status() + ": " + completion.explanation());
    }
  }
}
