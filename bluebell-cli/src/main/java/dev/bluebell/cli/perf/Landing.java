package dev.bluebell.cli.perf;

/** The places where the messages of a round arrive. */
interface Landing {

  /**
   * Whether messages arrived in their places.
   *
   * @param count messages to check, from the first
   * @param first sequence number of the first
   */
  boolean holds(Payload payload, int count, long first);
}
