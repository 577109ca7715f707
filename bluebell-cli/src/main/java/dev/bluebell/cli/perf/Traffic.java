package dev.bluebell.cli.perf;

/** Something to time, in rounds: prepare, run against the clock, verify. Belongs to one thread. */
interface Traffic {

  /** Most messages of a round. */
  int window();

  /**
   * Poisons the destinations and wakes the device, before the clock starts.
   *
   * @param messages of the round
   * @param first sequence number of its first
   */
  void prepare(int messages, long first);

  /** Moves the messages of the round; returns when all are complete. */
  void run();

  /** Whether every message of the round arrived, as it was sent; after the clock has stopped. */
  boolean verify();

  /** Does with plain memory copies what a full round does; false when there is no such thing. */
  default boolean copy() {
    return false;
  }
}
