package dev.bluebell.cli.perf;

import org.jspecify.annotations.Nullable;

/**
 * What a measurement found.
 *
 * @param messages timed
 * @param nanos that they took
 * @param peak messages a second of the fastest round
 * @param allocated bytes on the Java heap by all threads meanwhile
 * @param latency of the messages; null when they were not timed one by one
 * @param fault why the data is not right; null when every message arrived as it was sent, those of
 *     the warm-up too
 */
record PerfResult(
    PerfPlan plan,
    long messages,
    long nanos,
    double peak,
    long allocated,
    @Nullable Latency latency,
    @Nullable String fault) {

  boolean isVerified() {
    return fault == null;
  }

  double messagesPerSecond() {
    return nanos == 0 ? 0 : messages * 1e9 / nanos;
  }

  double bytesPerSecond() {
    return messagesPerSecond() * plan.size();
  }

  double allocatedPerOperation() {
    return messages == 0 ? 0 : (double) allocated / messages;
  }
}
