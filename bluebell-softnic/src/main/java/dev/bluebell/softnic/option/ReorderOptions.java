package dev.bluebell.softnic.option;

import java.util.concurrent.TimeUnit;

/**
 * The options of memory that reorders payload where order is relaxed.
 *
 * @param delayNanos longest time that a piece of payload is held back, in nanoseconds, at least 1
 * @param seed of the random that decides: the same payload at the same times becomes visible in the
 *     same order
 */
public record ReorderOptions(long delayNanos, long seed) {

  /** Checks the range. */
  public ReorderOptions {
    if (delayNanos < 1) {
      throw new IllegalArgumentException(
          "delay %d ns: it must be above 0, because payload that is not delayed keeps its order"
              .formatted(delayNanos));
    }
  }

  public ReorderOptions withSeed(long newSeed) {
    return new ReorderOptions(delayNanos, newSeed);
  }

  /** The options in the syntax of the device {@code soft}. */
  @Override
  public String toString() {
    return "reorder-memory=%d,seed=%d".formatted(TimeUnit.NANOSECONDS.toMicros(delayNanos), seed);
  }
}
