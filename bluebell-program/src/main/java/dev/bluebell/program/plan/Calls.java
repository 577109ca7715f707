package dev.bluebell.program.plan;

import java.util.Locale;

/** Number of calls that a plan answers. */
public enum Calls {
  /** One call. */
  ONE,
  /** Any number of calls, one after the other: the program rearms itself for the next one. */
  MANY;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
