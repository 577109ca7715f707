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

  /** What was noted. */
  Latency latency() {
    return new Latency(
        histogram.getMinValue(),
        histogram.getMaxValue(),
        histogram.getMean(),
        histogram.getStdDeviation(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        Arrays.copyOf(each, count));
  }
}
