package dev.bluebell.cli.perf;

import org.HdrHistogram.Histogram;

/**
 * What a measurement of latency found, in nanoseconds.
 *
 * @param each message's, in their order; empty unless that was asked for
 */
record Latency(
    long min,
    long max,
    double average,
    double deviation,
    long p50,
    long p99,
    long p999,
    long[] each) {

  static Latency of(Timings timings) {
    Histogram histogram = timings.histogram();
    return new Latency(
        histogram.getMinValue(),
        histogram.getMaxValue(),
        histogram.getMean(),
        histogram.getStdDeviation(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        timings.each());
  }
}
