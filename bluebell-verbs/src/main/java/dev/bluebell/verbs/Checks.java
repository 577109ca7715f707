package dev.bluebell.verbs;

/** The checks that guard the data path against misuse. */
public final class Checks {

  /**
   * False when the program was started with {@code -Dbluebell.checks=off}; the checks then fold
   * away. Misuse can then corrupt the caller's own queues, never memory outside them.
   */
  public static final boolean ENABLED = !"off".equals(System.getProperty("bluebell.checks"));

  /**
   * What a sentence ends with that blames the device for what a second thread may have done: with
   * checks on, nobody has.
   */
  public static final String UNLESS_SHARED =
      ENABLED
          ? ""
          : " (or several threads used the queue, which nobody notices with -Dbluebell.checks=off)";

  private Checks() {}
}
