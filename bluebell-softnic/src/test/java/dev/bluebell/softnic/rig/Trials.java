package dev.bluebell.softnic.rig;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tries anew while something allocates: what is not compiled yet does so, and on a busy machine the
 * compiler comes late. What allocates for good does so in all trials.
 */
public final class Trials {
  private static final int FEWEST = 15;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Trials() {}

  /** The least number of bytes that a trial gives: 0 as soon as one does. */
  public static long leastBytes(LongSupplier trial) {
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    for (int i = 0; least > 0 && (i < FEWEST || System.nanoTime() - start < PATIENCE_NANOS); i++) {
      least = Math.min(least, trial.getAsLong());
    }
    return least;
  }
}
