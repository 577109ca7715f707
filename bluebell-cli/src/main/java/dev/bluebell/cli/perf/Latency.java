package dev.bluebell.cli.perf;

/**
 * The result of a latency measurement, in nanoseconds.
 *
 * @param each of each message, in order; empty unless requested
 */
record Latency(
    long min,
    long max,
    double average,
    double deviation,
    long p50,
    long p99,
    long p999,
    long[] each) {}
