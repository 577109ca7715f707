package dev.bluebell.softnic.injection;

import dev.bluebell.softnic.option.FaultRule;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Counts the things that a queue does, and says which of them meet a fault. Owned by its queue. */
public final class Chance {
  private final List<FaultRule> rules;
  private final SplittableRandom random;
  private long count;

  Chance(List<FaultRule> rules, long seed) {
    this.rules = rules;
    random = new SplittableRandom(seed);
  }

  /** Counts one more; the fault that it meets, null for none. */
  public @Nullable FaultRule next() {
    count++;
    FaultRule met = null;
    for (FaultRule rule : rules) {
      // Drawn for each rule, so that one does not move what others draw.
      boolean drawn = rule.nth() == 0 && random.nextDouble() < rule.share();
      if (met == null && (drawn || rule.nth() == count)) {
        met = rule;
      }
    }
    return met;
  }

  /** How many there were. */
  public long count() {
    return count;
  }
}
