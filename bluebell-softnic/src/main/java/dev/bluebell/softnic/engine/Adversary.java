package dev.bluebell.softnic.engine;

import java.util.SplittableRandom;

/**
 * Randomizes every ordering that the specification leaves open: how much of a queue is fetched
 * when, which work has the next turn, which unit rests, which request overtakes which. All draws,
 * and their bounds, come from one seed. Owned by the thread that runs the engine.
 */
public final class Adversary {
  private static final int LOG_MAX_WINDOW = 6;
  private static final int LOG_MAX_WAY = 6;
  private static final int MAX_MESSAGES = 4;

  private final SplittableRandom random;

  // Upper bound of the WQEBBs fetched ahead.
  private final int window;

  // One atomic in this many is delayed.
  private final int overtaken;

  /**
   * @param seed equal seeds give equal draws
   */
  public Adversary(long seed) {
    random = new SplittableRandom(seed);
    window = 1 << below(LOG_MAX_WINDOW + 1);
    overtaken = 1 + below(MAX_MESSAGES);
  }

  /** A number from 0 to less than {@code bound}, which is at least 1. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** WQEBBs to fetch ahead now. */
  public int ahead() {
    return below(window + 1);
  }

  /** Messages of the next turn of a queue, at least 1. */
  public int messages() {
    return 1 + below(MAX_MESSAGES);
  }

  /** How long a path is: the most turns that a packet takes. */
  public int way() {
    return 1 << below(LOG_MAX_WAY + 1);
  }

  /** True when an atomic is to be executed as late as allowed. */
  public boolean delaysAtomic() {
    return below(overtaken) == 0;
  }
}
