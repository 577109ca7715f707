package dev.bluebell.verifier;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What has certainly happened at some moment: of each chain of events, how many. A chain is events
 * that every device makes in the same order. Immutable.
 */
final class Clock {
  private final int[] counts;

  private Clock(int[] counts) {
    this.counts = counts;
  }

  /** The start, when nothing has happened. */
  static Clock start(int chains) {
    return new Clock(new int[chains]);
  }

  /** True when so many events of a chain have happened. */
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

  /** What has happened when both have. */
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

  /** What has happened when one has, whichever. */
  Clock or(Clock other) {
    int[] either = counts.clone();
    for (int i = 0; i < either.length; i++) {
      either[i] = Math.min(either[i], other.counts[i]);
    }
    return new Clock(either);
  }

  /** What has happened with so many events of a chain. */
  Clock with(int chain, int count) {
    int[] changed = counts.clone();
    changed[chain] = Math.max(changed[chain], count);
    return new Clock(changed);
  }

  int count(int chain) {
    return counts[chain];
  }

  @Override
  public String toString() {
    return Arrays.toString(counts);
  }
}
