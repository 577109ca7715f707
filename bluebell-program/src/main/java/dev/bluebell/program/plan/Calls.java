package dev.bluebell.program.plan;

import java.util.Locale;

/** How many calls a plan answers. */
public enum Calls {
  /** One. */
  ONE,
  /** Any number, one after the other: the program makes itself ready for the next one. */
  MANY,
  /**
   * Any number, one after the other, up to what its launcher has: the client makes the program
   * ready for the next one, by WRITEs to its rings. It must be trusted with all that the program
   * may do.
   */
  REARMED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
