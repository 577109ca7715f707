package dev.bluebell.cli.perf;

import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Follows measurements, and may end them.
 *
 * @param stopper whether they shall end with what they have; any thread may have said so
 * @param listener takes what a measurement does from now on, such as {@code warms up}
 */
record PerfWatch(BooleanSupplier stopper, BiConsumer<PerfPlan, String> listener) {

  boolean isStopped() {
    return stopper.getAsBoolean();
  }
}
