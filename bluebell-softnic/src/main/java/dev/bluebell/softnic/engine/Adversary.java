package dev.bluebell.softnic.engine;

import java.util.SplittableRandom;

/**
 * Draws what the order of requests leaves open: how much of a queue is fetched when, who has the
 * next turn, who rests, what overtakes what. All of it, and how far it goes, comes from one seed.
 * Owned by the thread that runs the engine.
 */
public final class Adversary {
  private static final int LOG_MAX_WINDOW = 6;
  private static final int LOG_MAX_WAY = 6;
  private static final int MAX_MESSAGES = 4;

  private final SplittableRandom random;

  // WQEBBs that are fetched ahead at most.
  private final int window;

  // One in so many atomics waits for its answer.
  private final int overtaken;

  /**
   * @param seed the same seed draws the same
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

  /** How long a way is: turns that a packet takes at most. */
  public int way() {
    return 1 << below(LOG_MAX_WAY + 1);
  }

  /** True when an atomic is to be executed as late as it may be. */
  public boolean delaysAtomic() {
    return below(overtaken) == 0;
  }
}
