package dev.bluebell.spark;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A time during which something is not retried or logged again. Not thread-safe. */
final class Pause {
  private final long nanos;
  private final LongSupplier clock;

  /** Time on the clock at which the latest pause is over. */
  private long end;

  Pause(Duration length) {
    this(length, System::nanoTime);
  }

  /**
   * @param clock counts nanoseconds from any origin
   */
  Pause(Duration length, LongSupplier clock) {
    nanos = length.toNanos();
    this.clock = clock;
    end = clock.getAsLong();
  }

  /** True while a pause has begun and is not over. */
  boolean isRunning() {
    return clock.getAsLong() - end < 0;
  }

  /** Starts the pause unless it is running; true when it started. */
  boolean beginUnlessRunning() {
    if (isRunning()) {
      return false;
    }
    end = clock.getAsLong() + nanos;
    return true;
  }
}
