package dev.bluebell.spark;

import java.time.Duration;

/** Says whether enough time has passed since something last happened. Not thread-safe. */
final class Pause {
  private final long nanos;
  private boolean hasBegun;
  private long begin;

  Pause(Duration length) {
    nanos = length.toNanos();
  }

  /** Whether a pause that has begun is not over yet. */
  boolean isRunning() {
    return hasBegun && System.nanoTime() - begin < nanos;
  }

  /** Begins anew unless it is running; true when it did. */
  boolean beginUnlessRunning() {
    if (isRunning()) {
      return false;
    }
    hasBegun = true;
    begin = System.nanoTime();
    return true;
  }
}
