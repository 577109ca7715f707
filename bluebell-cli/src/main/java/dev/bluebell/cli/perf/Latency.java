package dev.bluebell.cli.perf;

import org.HdrHistogram.Histogram;

/** What a measurement of latency found, in nanoseconds. */
record Latency(
    long min, long max, double average, double deviation, long p50, long p99, long p999) {

  static Latency of(Histogram histogram) {
    return new Latency(
        histogram.getMinValue(),
        histogram.getMaxValue(),
        histogram.getMean(),
        histogram.getStdDeviation(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9));
  }
}
