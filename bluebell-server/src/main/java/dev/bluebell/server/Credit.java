package dev.bluebell.server;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A rate limiter: a burst, and then a number per second. Not thread-safe. */
final class Credit {
  private final LongSupplier clock;
  private final long interval;
  private final long most;
  private long saved;
  private long last;

  /**
   * @param burst how many at once
   * @param perSecond how many each second, 1 … 10^9
   * @param clock nanoseconds
   */
  Credit(int burst, int perSecond, LongSupplier clock) {
    this.clock = clock;
    interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    most = burst * interval;
    saved = most;
    last = clock.getAsLong();
  }

  /** Takes one if there is one. */
  boolean take() {
    if (nanosToNext() > 0) {
      return false;
    }
    saved -= interval;
    return true;
  }

  /** Time until the next one is available; 0 when one is available now. */
  long nanosToNext() {
    long now = clock.getAsLong();
    saved = Math.min(most, saved + now - last);
    last = now;
    return Math.max(0, interval - saved);
  }
}
