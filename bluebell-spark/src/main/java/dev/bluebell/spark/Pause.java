package dev.bluebell.spark;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A time during which something is not tried or said again. Not thread-safe. */
final class Pause {
  private final long nanos;
  private final LongSupplier clock;
  private boolean hasBegun;
  private long begin;

  Pause(Duration length) {
    this(length, System::nanoTime);
  }

  /**
   * @param clock counts nanoseconds from any origin
   */
  Pause(Duration length, LongSupplier clock) {
    nanos = length.toNanos();
    this.clock = clock;
  }

  /** Whether a pause that has begun is not over yet. */
  boolean isRunning() {
    return hasBegun && clock.getAsLong() - begin < nanos;
  }

  /** Begins anew unless it is running; true when it did. */
  boolean beginUnlessRunning() {
    if (isRunning()) {
      return false;
    }
    hasBegun = true;
    begin = clock.getAsLong();
    return true;
  }
}
