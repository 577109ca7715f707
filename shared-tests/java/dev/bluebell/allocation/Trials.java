package dev.bluebell.allocation;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Repeats a measurement while something allocates: code that is not compiled yet does, and on a
 * busy machine compilation is late. A real allocation happens in all trials.
 */
public final class Trials {
  private static final int FEWEST = 15;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Trials() {}

  /** The least number of bytes of all trials; stops at the first 0. */
  public static long leastBytes(LongSupplier trial) {
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    for (int i = 0; least > 0 && (i < FEWEST || System.nanoTime() - start < PATIENCE_NANOS); i++) {
      least = Math.min(least, trial.getAsLong());
    }
    return least;
  }
}
