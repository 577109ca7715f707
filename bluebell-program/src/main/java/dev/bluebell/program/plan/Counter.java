package dev.bluebell.program.plan;

import java.util.Locale;

/** The completion queues of a program; WAITs count their completions. */
public enum Counter {
  /** Only errors come here. */
  LAUNCHER,
  /** What the worker did. */
  WORKER,
  /** What was sent to the client. */
  CLIENT,
  /** Messages of the client. */
  CALLS,
  /** What the loop did. */
  LOOP,
  /** What the second loop did. */
  SECOND_LOOP,
  /** What the subprogram did. */
  SUBPROGRAM;

  /** Where the entries of a queue complete. */
  public static Counter of(Lane lane) {
    return switch (lane) {
      case LAUNCHER -> LAUNCHER;
      case WORKER -> WORKER;
      case CLIENT -> CLIENT;
      case LOOP -> LOOP;
      case SECOND_LOOP -> SECOND_LOOP;
      case SUBPROGRAM -> SUBPROGRAM;
    };
  }

  /** What listings call it. */
  public String text() {
    return this == CALLS
        ? "calls"
        : name().toLowerCase(Locale.ROOT).replace('_', ' ') + "'s completions";
  }
}
