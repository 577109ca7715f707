package dev.bluebell.roce.capture;

/** What the times of a capture file count. */
public enum TimeUnits {
  MICROSECONDS(1000, 6),
  NANOSECONDS(1, 9);

  private final int nanoseconds;
  private final int exponent;

  TimeUnits(int nanoseconds, int exponent) {
    this.nanoseconds = nanoseconds;
    this.exponent = exponent;
  }

  /** Length of a unit in ns. */
  int nanoseconds() {
    return nanoseconds;
  }

  /** Units are 10 to the power of minus this in seconds. */
  int exponent() {
    return exponent;
  }
}
