package dev.bluebell.cli.perf;

/**
 * How the table looks.
 *
 * @param gigabits whether bandwidths are in 10^9 bits a second, else in 2^20 bytes
 * @param sorted whether the times of all messages come in front of a row, the shortest first
 * @param unsorted whether they come there in the order of the messages
 */
record PerfFormat(boolean gigabits, boolean sorted, boolean unsorted) {
  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABIT = 1e9 / Byte.SIZE;

  /** Whether times of messages are printed, in whatever order. */
  boolean isListing() {
    return sorted || unsorted;
  }

  /** Bytes of the unit of bandwidths. */
  double unit() {
    return gigabits ? GIGABIT : MEGABYTE;
  }

  /** Name of the unit of bandwidths, a second. */
  String unitName() {
    return gigabits ? "Gb/sec" : "MB/sec";
  }
}
