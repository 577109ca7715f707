package dev.bluebell.softnic.engine;

/** Lets deadlines come without an engine. */
public final class Deadlines {
  private Deadlines() {}

  /** Tells work that its deadline has come. */
  public static void expire(Work work) {
    work.onTimer();
  }
}
