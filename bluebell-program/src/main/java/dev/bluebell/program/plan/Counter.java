package dev.bluebell.program.plan;

import java.util.Locale;

/** The completion queues of a program; WAITs count their completions. */
public enum Counter {
  /** Completions of the launcher: only errors. */
  LAUNCHER,
  /** Completions of the worker. */
  WORKER,
  /** Completions of sends to the client. */
  CLIENT,
  /** Messages received from the client. */
  CALLS,
  /** Completions of the loop. */
  LOOP,
  /** Completions of the second loop. */
  SECOND_LOOP,
  /** Completions of the subprogram. */
  SUBPROGRAM;

  /** The completion queue of a queue's sends. */
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

  /** Its name in listings. */
  public String text() {
    return this == CALLS
        ? "calls"
        : name().toLowerCase(Locale.ROOT).replace('_', ' ') + "'s completions";
  }
}
