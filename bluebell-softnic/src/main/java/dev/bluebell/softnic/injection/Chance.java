package dev.bluebell.softnic.injection;

import dev.bluebell.softnic.option.FaultRule;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of a queue, and decides which of them meet an injected fault. Owned by its
 * queue.
 */
public final class Chance {
  private final List<FaultRule> rules;
  private final Set<FaultRule> spent;
  private final SplittableRandom random;
  private long count;

  /**
   * @param spent the rules of the device that strike once and have done so
   */
  Chance(List<FaultRule> rules, Set<FaultRule> spent, long seed) {
    this.rules = rules;
    this.spent = spent;
    random = new SplittableRandom(seed);
  }

  /** Counts one more event, and returns the fault that it meets; null for none. */
  public @Nullable FaultRule next() {
    count++;
    FaultRule met = null;
    for (FaultRule rule : rules) {
      // Draw for every rule, so that one rule does not shift the draws of another.
      boolean drawn = rule.nth() == 0 && random.nextDouble() < rule.share();
      if (met == null
          && (drawn || rule.nth() == count)
          && (rule.queue() != FaultRule.ONCE || spent.add(rule))) {
        met = rule;
      }
    }
    return met;
  }

  /** Number of events so far. */
  public long count() {
    return count;
  }
}
