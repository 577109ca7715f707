package dev.bluebell.examples.shared;

import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * The idle strategy of a polling thread: it first spins, then yields, and finally sleeps. Spinning
 * is fastest if each thread has its own processor; otherwise, a spinning thread may keep the very
 * thread from running for which it waits. Belongs to one thread.
 */
public final class Idle {
  private static final int SPINS = 50;
  private static final int YIELDS = 2_000;
  private static final Duration SLEEP = Duration.ofMillis(100);

  /** Number of polls that found nothing since the last that found something, up to a maximum. */
  private int empty;

  /** Call it when a poll found something. */
  public void reset() {
    empty = 0;
  }

  /**
   * Waits before the next poll, longer the longer nothing was found. Always returns after a limited
   * time.
   *
   * @param completions whose completions end a sleep
   */
  public void pause(CompletionQueue completions) throws InterruptedIOException {
    if (empty < SPINS + YIELDS) {
      pauseAwake();
      return;
    }
    try {
      boolean unused = completions.awaitCompletions(SLEEP);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Spins or yields but never sleeps: for events that wake no thread. */
  public void pauseAwake() {
    if (empty < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
    empty = Math.min(empty + 1, SPINS + YIELDS);
  }

  /** Polls until there is something. */
  public void poll(CompletionQueue completions, CompletionHandler handler)
      throws InterruptedIOException {
    while (completions.poll(handler) == 0) {
      pause(completions);
    }
    reset();
  }

  /** Restores the thread's interrupt status, and returns an exception that reports it. */
  public static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while waiting");
  }
}
