package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.RcQueuePair;

/** What all programs of the cookbook do. */
final class Polling {
  private Polling() {}

  /** Connects two queue pairs of one program; endpoints of others come over a network. */
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

  /** A request that failed says why. */
  static void requireSuccess(Completion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(completion.status() + ": " + completion.explanation());
    }
  }
}
