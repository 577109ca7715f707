package dev.bluebell.cli.perf;

/** Where the messages of a round arrive. */
interface Landing {

  /**
   * Whether messages lie where they belong.
   *
   * @param count messages to look at, from the first
   * @param first sequence number of the first
   */
  boolean holds(Payload payload, int count, long first);
}
