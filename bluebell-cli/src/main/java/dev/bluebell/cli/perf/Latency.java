package dev.bluebell.cli.perf;

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
    long[] each) {}
