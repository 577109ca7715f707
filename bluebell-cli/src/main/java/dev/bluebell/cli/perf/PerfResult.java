package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import org.jspecify.annotations.Nullable;

/**
 * The result of a measurement.
 *
 * @param messages timed
 * @param nanos duration of all rounds
 * @param peak messages a second in the fastest round
 * @param allocated bytes that all threads allocated on the Java heap meanwhile
 * @param copyBytesPerSecond rate of plain memory copies of the same bytes between the same places
 *     (an echo is two copies); 0 when there is nothing to compare with
 * @param latency of the messages; null when they were not timed one by one
 * @param fault why the measurement ended; null when every message arrived as it was sent, those of
 *     the warm-up included
 * @param interrupted whether it ended early
 * @param fabric the fabric's description at the end; null when the fabric is lossless
 * @param handOffNanos time that a cache line took from one processor to another and back; 0 when
 *     unknown
 */
record PerfResult(
    PerfPlan plan,
    long messages,
    long nanos,
    double peak,
    long allocated,
    double copyBytesPerSecond,
    @Nullable Latency latency,
    @Nullable Fault fault,
    boolean interrupted,
    @Nullable String fabric,
    long handOffNanos) {

  /**
   * What ended a measurement.
   *
   * @param isOfData true for wrong data, false when a message did not complete
   * @param why the rest of a sentence
   */
  record Fault(boolean isOfData, String why) {}

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

  boolean isWrong() {
    return fault != null && fault.isOfData();
  }

  /** The exception for its fault. */
  WorkFailed failure() {
    return new WorkFailed(
        (isWrong() ? "the data of perf %s is wrong: %s" : "perf %s failed: %s")
            .formatted(plan.operation(), fault == null ? "" : fault.why()));
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
