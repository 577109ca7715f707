package dev.bluebell.program.plan;

import java.util.Locale;

/** How many calls a plan answers. */
public enum Calls {
  /** One. */
  ONE,
  /** Any number, one after the other: the program makes itself ready for the next one. */
  MANY;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
