package dev.bluebell.program.plan;

import java.util.Locale;

/** Assumptions of the compiler about the device. */
public enum Model {
  /** A fenced SEND_EN waits for UMRs only: a WAIT before it waits for completions instead. */
  CONSERVATIVE,
  /** A fence delays a SEND_EN like any other entry, so no WAIT is needed within a queue. */
  ASSUMED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
