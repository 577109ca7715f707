package dev.bluebell.verifier;

/**
 * The time in which a device may make an access.
 *
 * @param who actor of the access, for messages
 * @param start events that have certainly happened before it
 * @param chain chain of the event before which it is certainly over
 * @param end number of that event in the chain
 */
record Span(Actor who, Clock start, int chain, int end) {
  /** An access in this time. */
  Access access(Access.Kind kind, int place, int length) {
    return new Access(kind, this, place, place + length);
  }

  /** True when the accesses are certainly over at a clock. */
  boolean isOverAt(Clock clock) {
    return clock.covers(chain, end);
  }
}
