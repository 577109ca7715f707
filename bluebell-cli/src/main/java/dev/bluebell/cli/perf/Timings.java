package dev.bluebell.cli.perf;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Collects the latencies of messages. */
final class Timings {
  private static final int DIGITS = 3;

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Histogram histogram = new Histogram(LONGEST_NANOS, DIGITS);
  private final long[] each;
  private int count;

  /**
   * @param listed number of times to keep one by one
   */
  Timings(int listed) {
    each = new long[listed];
  }

  /** Adds the latency of a message in nanoseconds; more than a minute counts as a minute. */
  void add(long nanos) {
    histogram.recordValue(Math.min(nanos, LONGEST_NANOS));
    if (count < each.length) {
      each[count++] = nanos;
    }
  }

  /** Forgets all latencies. */
  void reset() {
    histogram.reset();
    count = 0;
  }

  /** The latencies so far. */
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
