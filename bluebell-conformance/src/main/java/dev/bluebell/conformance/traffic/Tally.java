package dev.bluebell.conformance.traffic;

/** What all flows and inboxes count together. */
final class Tally {
  /** True when messages of unreliable services may be lost, repeated and overtaken. */
  final boolean loses;

  /** Completions and messages that must still come. */
  int outstanding;

  /** Requests that were posted. */
  long requests;

  /** Messages of unreliable services that were sent, and that arrived. */
  long hoped;

  long arrived;

  Tally(boolean loses) {
    this.loses = loses;
  }
}
