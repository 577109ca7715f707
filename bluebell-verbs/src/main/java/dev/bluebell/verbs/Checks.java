package dev.bluebell.verbs;

/** The checks that guard the data path against misuse. */
public final class Checks {

  /**
   * False when the program was started with {@code -Dbluebell.checks=off}; the checks then fold
   * away. Misuse can then corrupt the caller's own queues, never memory outside them.
   */
  public static final boolean ENABLED = !"off".equals(System.getProperty("bluebell.checks"));

  private Checks() {}
}
