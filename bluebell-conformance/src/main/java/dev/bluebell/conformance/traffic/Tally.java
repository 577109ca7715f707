package dev.bluebell.conformance.traffic;

/** The counters that all flows and inboxes share. */
final class Tally {
  /** True when messages of unreliable services may be lost, repeated and reordered. */
  final boolean loses;

  /** True when the device has masked atomics of 4, 8 and 16 bytes. */
  final boolean hasMasks;

  /** The counter to which flows of all connections add. */
  final SharedCounter counter = new SharedCounter();

  /** Completions and messages that are still due. */
  int outstanding;

  /** Number of posted requests. */
  long requests;

  /** Numbers of sent and arrived messages of unreliable services. */
  long hoped;

  long arrived;

  Tally(boolean loses, boolean hasMasks) {
    this.loses = loses;
    this.hasMasks = hasMasks;
  }
}
