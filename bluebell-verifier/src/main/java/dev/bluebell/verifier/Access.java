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
    int end) {
  boolean overlaps(Access other) {
    return from < other.to && other.from < to;
  }

  /** True when it is certainly over when the other starts. */
  boolean isBefore(Access other) {
    return other.start.covers(chain, end);
  }
}
