package dev.bluebell.softnic.engine;

/** Fires deadlines and gives turns without an engine. */
public final class Deadlines {
  private Deadlines() {}

  /** Fires the deadline of work. */
  public static void expire(Work work) {
    work.onTimer();
  }

  /** Gives work a turn; returns how much it did. */
  public static int turn(Work work) {
    return work.turn();
  }
}
