package dev.bluebell.softnic.engine;

/** A clock that stands still until it is told to move: for tests and simulations. Any thread. */
public final class ManualClock implements Clock {
  private volatile long now;

  @Override
  public long nanos() {
    return now;
  }

  /** Moves the clock on by {@code nanos}, which must not be negative. */
  public void advance(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("a clock does not go back: " + nanos);
    }
    now += nanos;
  }
}
