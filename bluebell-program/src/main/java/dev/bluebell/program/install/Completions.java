package dev.bluebell.program.install;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;

/** Polls completions that must be successful. */
public final class Completions {
  private Completions() {}

  /**
   * Polls all available completions.
   *
   * @return number of completions
   * @throws IllegalStateException when one is an error; the message has the device's explanation
   */
  public static int drain(CompletionQueue queue) {
    int count = 0;
    for (Completion c = queue.poll(); c != null; c = queue.poll()) {
      check(c);
      count++;
    }
    return count;
  }

  /**
   * Requires that a completion is successful.
   *
   * @throws IllegalStateException when it is an error; the message has the device's explanation
   */
  public static void check(Completion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(
          "QP 0x%x: %s, %s"
              .formatted(
                  completion.queuePairNumber(), completion.status(), completion.explanation()));
    }
  }
}
