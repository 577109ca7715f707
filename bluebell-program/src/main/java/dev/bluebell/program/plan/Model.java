package dev.bluebell.program.plan;

import java.util.Locale;

/** What a compiler may believe of the device. */
public enum Model {
  /** No fence holds a SEND_EN: before it stands a WAIT for what must be complete. */
  CONSERVATIVE,
  /** A fence holds a SEND_EN like any other entry, so that no WAIT is needed within a queue. */
  ASSUMED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
