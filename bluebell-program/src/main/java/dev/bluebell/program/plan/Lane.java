package dev.bluebell.program.plan;

import java.util.Locale;

/** The queues of a program. */
public enum Lane {
  /** Starts the program: waits for the client's message, then enables the others. Not managed. */
  LAUNCHER(false),
  /** Works on the program's memory and queues; connected to itself. */
  WORKER(true),
  /** Receives from the client and sends to it. */
  CLIENT(true),
  /** Executes an unbounded loop, lap by lap; connected to itself. */
  LOOP(true),
  /** Executes a second loop behind the first one; connected to itself. */
  SECOND_LOOP(true),
  /** Executes the subprogram, once per call; connected to itself. */
  SUBPROGRAM(true);

  private final boolean managed;

  Lane(boolean managed) {
    this.managed = managed;
  }

  /** True when its entries are fetched only after they are enabled, so that they may be changed. */
  public boolean isManaged() {
    return managed;
  }

  /** True when it works on the program's memory and queues, and is connected to itself. */
  public boolean isWorker() {
    return this == WORKER || isOptional();
  }

  /** True when only some programs have this queue. */
  boolean isOptional() {
    return isLoop() || this == SUBPROGRAM;
  }

  /** True when it executes a loop. */
  public boolean isLoop() {
    return this == LOOP || this == SECOND_LOOP;
  }

  /** Its name in listings. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
