package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.QueuePair;

/** Posts requests to a queue pair of some kind, by the operations that its type has. */
interface Poster {

  /** Posts a request, of a kind that the service has. */
  void post(Request request);

  /** The queue pair, for its doorbell and its room. */
  QueuePair queuePair();

  /** False when each request is signalled, and there is no NOP. */
  default boolean mayBeSilent() {
    return true;
  }

  /** True when only fenced requests report. */
  default boolean reportsFencedOnly() {
    return false;
  }

  /** True for masked atomics. */
  default boolean hasMasks() {
    return false;
  }

  /** Destinations that requests name; 1 where they name none. */
  int targets();
}
