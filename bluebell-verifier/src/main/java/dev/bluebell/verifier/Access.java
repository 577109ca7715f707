package dev.bluebell.verifier;

/**
 * One access to memory: at some time between its start and its end, and no device says when.
 *
 * @param who makes it, and what for: "WQE 3 of queue 0x40 (worker) writes"
 * @param fetch true when it reads an entry of a ring
 * @param read true when something depends on what it reads
 * @param write true when it changes memory
 * @param from place of its first byte
 * @param to place behind its last byte
 * @param start what has certainly happened before it
 * @param chain a chain of which an event has certainly not happened before it is over
 * @param end which event of that chain
 * @param adds true when it adds to an integer, or returns what that was before
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
  /** One that does not add. */
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

  /** The same, of something that adds or not. */
  Access adding(boolean does) {
    return new Access(who, fetch, read, write, from, to, start, chain, end, does);
  }

  /** The same at another place. */
  Access at(int first, int behind) {
    return new Access(who, fetch, read, write, first, behind, start, chain, end, adds);
  }

  /** True for two that add to the same integer, whose sum is the same in any order. */
  boolean addsWith(Access other) {
    return adds && other.adds && from == other.from && to == other.to;
  }

  boolean overlaps(Access other) {
    return from < other.to && other.from < to;
  }

  /** True when it is certainly over when the other starts. */
  boolean isBefore(Access other) {
    return other.start.covers(chain, end);
  }
}
