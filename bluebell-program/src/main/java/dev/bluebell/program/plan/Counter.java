package dev.bluebell.program.plan;

import java.util.Locale;

/** The completion queues of a program; WAITs count their completions. */
public enum Counter {
  /** Completions of the launcher: only errors. */
  LAUNCHER(Lane.LAUNCHER),
  /** Completions of the worker. */
  WORKER(Lane.WORKER),
  /** Completions of sends to the client. */
  CLIENT(Lane.CLIENT),
  /** Messages received from the client. */
  CALLS(Lane.CLIENT),
  /** Completions of the loop. */
  LOOP(Lane.LOOP),
  /** Completions of the second loop. */
  SECOND_LOOP(Lane.SECOND_LOOP),
  /** Completions of the subprogram. */
  SUBPROGRAM(Lane.SUBPROGRAM);

  private final Lane lane;

  Counter(Lane lane) {
    this.lane = lane;
  }

  /** The completion queue of a queue's sends. */
  public static Counter of(Lane lane) {
    return valueOf(lane.name());
  }

  /** The queue whose sends, or receives for {@link #CALLS}, complete here. */
  public Lane lane() {
    return lane;
  }

  /** Its name in listings. */
  public String text() {
    return this == CALLS
        ? "calls"
        : name().toLowerCase(Locale.ROOT).replace('_', ' ') + "'s completions";
  }
}
