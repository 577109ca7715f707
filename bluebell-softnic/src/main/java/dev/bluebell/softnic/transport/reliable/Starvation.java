package dev.bluebell.softnic.transport.reliable;

import java.util.concurrent.TimeUnit;

/**
 * The time for which a message has waited for a receive WQE, so that a long wait is reported once.
 * Times are nanoseconds of the device's clock. Owned by the thread that runs the engine.
 */
final class Starvation {
  /** Time for which a message may wait without a report. */
  private static final long STARVED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private boolean starving;
  private long reportAt = Long.MAX_VALUE;

  /** Records that a request was executed. */
  void end() {
    starving = false;
    reportAt = Long.MAX_VALUE;
  }

  /** True from {@link #begin} until {@link #end}. */
  boolean isStarving() {
    return starving;
  }

  /** Records that a message was refused for want of a receive WQE. */
  void begin(long now) {
    starving = true;
    reportAt = now + STARVED_NANOS;
  }

  /** Time at which the report is due; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return reportAt;
  }

  /** True once when the report is due. */
  boolean takeReport(long now) {
    if (reportAt > now) {
      return false;
    }
    reportAt = Long.MAX_VALUE;
    return true;
  }
}
