package dev.bluebell.conformance.traffic;

/** What all flows and inboxes count together. */
final class Tally {
  /** True when messages of unreliable services may be lost, repeated and overtaken. */
  final boolean loses;

  /** True when the device has masked atomics of 4, 8 and 16 bytes. */
  final boolean hasMasks;

  /** To which flows of all connections add. */
  final SharedCounter counter = new SharedCounter();

  /** Completions and messages that must still come. */
  int outstanding;

  /** Requests that were posted. */
  long requests;

  /** Messages of unreliable services that were sent, and that arrived. */
  long hoped;

  long arrived;

  Tally(boolean loses, boolean hasMasks) {
    this.loses = loses;
    this.hasMasks = hasMasks;
  }
}
