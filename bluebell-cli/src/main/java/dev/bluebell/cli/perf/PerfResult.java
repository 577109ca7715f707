package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import org.jspecify.annotations.Nullable;

/**
 * What a measurement found.
 *
 * @param messages timed
 * @param nanos that they took
 * @param peak messages a second of the fastest round
 * @param allocated bytes on the Java heap by all threads meanwhile
 * @param copyBytesPerSecond what plain memory copies of the same bytes between the same places
 *     make; an echo is two; 0 when there is nothing to compare with
 * @param latency of the messages; null when they were not timed one by one
 * @param fault why the data is not right; null when every message arrived as it was sent, those of
 *     the warm-up too
 * @param interrupted whether it ended before its time
 * @param fabric what the device says of its fabric in the end; null when that loses nothing
 * @param handOffNanos what a cache line took from one processor to another and back; 0 when unknown
 */
record PerfResult(
    PerfPlan plan,
    long messages,
    long nanos,
    double peak,
    long allocated,
    double copyBytesPerSecond,
    @Nullable Latency latency,
    @Nullable String fault,
    boolean interrupted,
    @Nullable String fabric,
    long handOffNanos) {

  PerfResult with(@Nullable String line, long nanosThereAndBack) {
    return new PerfResult(
        plan,
        messages,
        nanos,
        peak,
        allocated,
        copyBytesPerSecond,
        latency,
        fault,
        interrupted,
        line,
        nanosThereAndBack);
  }

  boolean isVerified() {
    return fault == null;
  }

  /** What to throw when the data is not right. */
  WorkFailed failure() {
    return new WorkFailed("the data of perf %s is wrong: %s".formatted(plan.operation(), fault));
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
