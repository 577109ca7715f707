package dev.bluebell.cli.perf;

import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Follows measurements, and may stop them.
 *
 * @param stopper whether they are to stop and report what they have; any thread may set this
 * @param listener receives what a measurement does next, such as {@code warms up}
 */
record PerfWatch(BooleanSupplier stopper, BiConsumer<PerfPlan, String> listener) {

  boolean isStopped() {
    return stopper.getAsBoolean();
  }
}
