package dev.bluebell.verifier;

/**
 * One access to memory, at an unspecified time between its start and its end.
 *
 * @param who actor and purpose of the access, as in "WQE 3 of queue 0x40 (worker) writes"
 * @param fetch true when it reads an entry of a ring
 * @param read true when something depends on the bytes that it reads
 * @param write true when it changes memory
 * @param from place of its first byte
 * @param to place after its last byte
 * @param start events that have certainly happened before it
 * @param chain chain of the event before which it is certainly over
 * @param end number of that event in the chain
 * @param adds true when it adds to an integer, or returns its original value
 */
record Access(
    Actor who,
    boolean fetch,
    boolean read,
    boolean write,
    int from,
    int to,
    Clock start,
    int chain,
    int end,
    boolean adds) {
  /** Creates an access that does not add. */
  Access(
      Actor who,
      boolean fetch,
      boolean read,
      boolean write,
      int from,
      int to,
      Clock start,
      int chain,
      int end) {
    this(who, fetch, read, write, from, to, start, chain, end, false);
  }

  /** The same access, with another {@code adds}. */
  Access adding(boolean does) {
    return new Access(who, fetch, read, write, from, to, start, chain, end, does);
  }

  /** The same access at another place. */
  Access at(int first, int behind) {
    return new Access(who, fetch, read, write, first, behind, start, chain, end, adds);
  }

  /** True when both add to the same integer, so the sum does not depend on their order. */
  boolean addsWith(Access other) {
    return adds && other.adds && from == other.from && to == other.to;
  }

  boolean overlaps(Access other) {
    return from < other.to && other.from < to;
  }

  /** True when it is certainly over before the other starts. */
  boolean isBefore(Access other) {
    return other.start.covers(chain, end);
  }
}
