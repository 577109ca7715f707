package dev.bluebell.examples;

import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * What a thread does while it finds nothing: it looks again some times at once, then after others
 * could run, and in the end it sleeps. Where each thread has a processor of its own, looking again
 * is the fastest; where it has not, who spins keeps the very thread from running that it waits for.
 * Belongs to one thread.
 */
public final class Idle {
  private static final int SPINS = 50;
  private static final int YIELDS = 2_000;
  private static final Duration SLEEP = Duration.ofMillis(100);

  private int found;

  /** Something was found. */
  public void reset() {
    found = 0;
  }

  /**
   * Passes some time, more the longer nothing was found. Then it is time to look again: this
   * returns in any case after a while.
   *
   * @param completions whose completions end a sleep
   */
  public void pause(CompletionQueue completions) throws InterruptedIOException {
    if (found < SPINS + YIELDS) {
      pauseAwake();
      return;
    }
    try {
      boolean unused = completions.awaitCompletions(SLEEP);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Passes some time, but never sleeps: for what nothing would wake. */
  public void pauseAwake() {
    if (found < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
    found = Math.min(found + 1, SPINS + YIELDS);
  }

  /** Polls until there is something. */
  public void poll(CompletionQueue completions, CompletionHandler handler)
      throws InterruptedIOException {
    while (completions.poll(handler) == 0) {
      pause(completions);
    }
    reset();
  }

  /** Says that the thread was interrupted, and leaves it so. */
  public static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while waiting");
  }
}
