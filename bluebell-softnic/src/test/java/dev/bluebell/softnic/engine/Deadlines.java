package dev.bluebell.softnic.engine;

/** Fires deadlines without an engine. */
public final class Deadlines {
  private Deadlines() {}

  /** Fires the deadline of work. */
  public static void expire(Work work) {
    work.onTimer();
  }
}
