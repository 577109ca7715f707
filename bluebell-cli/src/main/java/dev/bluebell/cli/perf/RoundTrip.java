package dev.bluebell.cli.perf;

/** One message there and, where the peer answers, one back. Belongs to one thread. */
abstract class RoundTrip {

  /** Prepares so many trips, the first with this sequence number. */
  abstract void prepare(int trips, long first);

  /** Makes a trip: this is what is timed. */
  abstract void go(int trip);

  /** Takes completions that the trip did not wait for. */
  abstract void settle(int trip);

  /** Whether all trips' data is right. */
  abstract boolean verify();

  /** By what to divide the time of a trip: 2 where the latency of one way is meant. */
  abstract int ways();
}
