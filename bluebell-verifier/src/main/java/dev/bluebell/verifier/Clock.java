package dev.bluebell.verifier;

import org.jspecify.annotations.Nullable;

/**
 * The events that have certainly happened at some moment: their number in each chain. A chain is a
 * sequence of events that every device produces in the same order. Immutable.
 */
final class Clock {
  private final int[] counts;

  private Clock(int[] counts) {
    this.counts = counts;
  }

  /** The clock at which no event has happened. */
  static Clock start(int chains) {
    return new Clock(new int[chains]);
  }

  /** True when {@code count} events of a chain have happened. */
  boolean covers(int chain, int count) {
    return counts[chain] >= count;
  }

  boolean covers(Clock other) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < other.counts[i]) {
        return false;
      }
    }
    return true;
  }

  /** The events that have happened when both clocks hold. */
  Clock and(@Nullable Clock other) {
    if (other == null || covers(other)) {
      return this;
    }
    if (other.covers(this)) {
      return other;
    }
    int[] both = counts.clone();
    for (int i = 0; i < both.length; i++) {
      both[i] = Math.max(both[i], other.counts[i]);
    }
    return new Clock(both);
  }

  /** The events that have happened when at least one of the clocks holds. */
  Clock or(Clock other) {
    int[] either = counts.clone();
    for (int i = 0; i < either.length; i++) {
      either[i] = Math.min(either[i], other.counts[i]);
    }
    return new Clock(either);
  }

  /** This clock, with {@code count} events of a chain. */
  Clock with(int chain, int count) {
    int[] changed = counts.clone();
    changed[chain] = Math.max(changed[chain], count);
    return new Clock(changed);
  }

  int count(int chain) {
    return counts[chain];
  }
}
