package dev.bluebell.cli.perf;

/** Traffic to measure, in rounds: prepare, run while timed, verify. Belongs to one thread. */
interface Traffic {

  /** Most messages in a round. */
  int window();

  /**
   * Poisons the destinations and wakes the device; not timed.
   *
   * @param messages of the round
   * @param first sequence number of its first
   */
  void prepare(int messages, long first);

  /** Sends the messages of the round; returns when all are complete. Timed. */
  void run();

  /** Whether every message of the round arrived as it was sent; not timed. */
  boolean verify();

  /** Does the work of a full round with plain memory copies; false if no copy corresponds to it. */
  default boolean copy() {
    return false;
  }
}
