package dev.bluebell.softnic.option;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only by {@link #advance}, for tests and simulations. Any thread. */
public final class ManualClock implements Clock {
  private final AtomicLong now = new AtomicLong();

  @Override
  public long nanos() {
    return now.get();
  }

  /** Moves the clock on by {@code nanos}, which must not be negative. */
  public void advance(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("a clock cannot go back: " + nanos);
    }
    now.getAndAdd(nanos);
  }
}
