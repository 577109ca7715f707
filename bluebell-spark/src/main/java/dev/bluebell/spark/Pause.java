package dev.bluebell.spark;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A time during which something is not retried or logged again. Not thread-safe. */
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

  /** True while a pause has begun and is not over. */
  boolean isRunning() {
    return hasBegun && clock.getAsLong() - begin < nanos;
  }

  /** Starts the pause unless it is running; true when it started. */
  boolean beginUnlessRunning() {
    if (isRunning()) {
      return false;
    }
    hasBegun = true;
    begin = clock.getAsLong();
    return true;
  }
}
