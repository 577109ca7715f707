package dev.bluebell.cli.perf;

/** Messages that come back. */
interface Echoes extends Traffic {

  /** Runs until so many messages of the round have come back. */
  void runUntil(int echoes);
}
