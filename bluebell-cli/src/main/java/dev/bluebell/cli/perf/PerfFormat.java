package dev.bluebell.cli.perf;

/**
 * The format of the result table.
 *
 * @param gigabits whether bandwidths are in 10^9 bits per second, else in 2^20 bytes
 * @param sorted whether the times of all messages come before a row, shortest first
 * @param unsorted whether they come in the order of the messages
 */
record PerfFormat(boolean gigabits, boolean sorted, boolean unsorted) {
  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABIT = 1e9 / Byte.SIZE;

  /** Whether the times of messages are printed, in either order. */
  boolean isListing() {
    return sorted || unsorted;
  }

  /** The unit of bandwidths, in bytes. */
  double unit() {
    return gigabits ? GIGABIT : MEGABYTE;
  }

  /** Name of the unit of bandwidths, per second. */
  String unitName() {
    return gigabits ? "Gb/sec" : "MB/sec";
  }
}
