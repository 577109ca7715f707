package dev.bluebell.softnic.engine;

import org.jspecify.annotations.Nullable;

/**
 * Draws how often and how long one unit rests. Each unit has a tempo of its own, so one may take
 * longer for a step than others for all of theirs. Owned by the thread that runs the engine.
 */
public final class Tempo {
  private static final int LOG_MAX_RARITY = 5;
  private static final int LOG_MAX_REST = 10;

  private final @Nullable Adversary adversary;

  // One turn in rarity begins a rest, which lasts at most longest turns.
  private final int rarity;
  private final int longest;

  private int left;

  /**
   * @param adversary draws it; null for a unit that never rests
   */
  public Tempo(@Nullable Adversary adversary) {
    this.adversary = adversary;
    rarity = adversary == null ? 1 : 1 << 1 + adversary.below(LOG_MAX_RARITY);
    longest = adversary == null ? 0 : 1 << adversary.below(LOG_MAX_REST + 1);
  }

  /** Begins a turn; true when the unit rests in it. */
  public boolean rests() {
    if (left > 0) {
      left--;
    } else if (adversary != null && adversary.below(rarity) == 0) {
      left = adversary.below(longest + 1);
    }
    return left > 0;
  }
}
