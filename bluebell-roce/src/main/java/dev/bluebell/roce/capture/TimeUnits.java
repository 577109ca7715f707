package dev.bluebell.roce.capture;

/** Units of time in a capture file. */
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

  /** The unit is 10<sup>−exponent</sup> seconds. */
  int exponent() {
    return exponent;
  }
}
