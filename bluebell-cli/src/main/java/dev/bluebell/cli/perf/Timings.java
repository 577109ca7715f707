package dev.bluebell.cli.perf;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long messages took, one by one. */
final class Timings {
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
  private final long[] each;
  private int count;

  /**
   * @param listed how many are kept as they are
   */
  Timings(int listed) {
    each = new long[listed];
  }

  /** Notes the nanoseconds of a message. */
  void add(long nanos) {
    histogram.recordValue(nanos);
    if (count < each.length) {
      each[count++] = nanos;
    }
  }

  /** Forgets what was noted. */
  void reset() {
    histogram.reset();
    count = 0;
  }

  Histogram histogram() {
    return histogram;
  }

  /** Those that were kept, in the order of the messages. */
  long[] each() {
    return Arrays.copyOf(each, count);
  }
}
