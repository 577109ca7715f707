package dev.bluebell.verifier;

/**
 * One access to memory.
 *
 * @param kind its kind
 * @param span the time in which it happens
 * @param from place of its first byte
 * @param to place after its last byte
 */
record Access(Kind kind, Span span, int from, int to) {
  /** Kinds of accesses. */
  enum Kind {
    /** Reads an entry of a ring. */
    FETCH,
    /** Reads bytes on which something depends. */
    READ,
    /** Writes bytes. */
    WRITE,
    /** Writes bytes that depend on the bytes before. */
    CHANGE,
    /** Adds to an integer. */
    ADD
  }

  Actor who() {
    return span.who();
  }

  boolean isFetch() {
    return kind == Kind.FETCH;
  }

  boolean reads() {
    return kind != Kind.WRITE;
  }

  boolean writes() {
    return kind != Kind.FETCH && kind != Kind.READ;
  }

  boolean adds() {
    return kind == Kind.ADD;
  }

  /** True when both add to the same integer, so the sum does not depend on their order. */
  boolean addsWith(Access other) {
    return adds() && other.adds() && from == other.from && to == other.to;
  }

  /** True when both are the data of one WRITE or SEND. */
  boolean isOfRequest(Access other) {
    return who().equals(other.who())
        && span.chain() == other.span.chain()
        && span.end() == other.span.end();
  }

  boolean overlaps(Access other) {
    return from < other.to && other.from < to;
  }

  /** True when it is certainly over before the other starts. */
  boolean isBefore(Access other) {
    return span.isOverAt(other.span.start());
  }
}
