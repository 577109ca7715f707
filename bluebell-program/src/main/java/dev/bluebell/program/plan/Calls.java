package dev.bluebell.program.plan;

import java.util.Locale;

/** Number of calls that a plan answers. */
public enum Calls {
  /** One call. */
  ONE,
  /** Any number of calls, one after the other: the program rearms itself for the next one. */
  MANY,
  /**
   * Any number of calls, one after the other, up to the capacity of its launcher: the client rearms
   * the program for the next one, by WRITEs to its rings. The client must be trusted with all
   * rights of the program.
   */
  REARMED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
