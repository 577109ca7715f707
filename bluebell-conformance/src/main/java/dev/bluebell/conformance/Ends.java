package dev.bluebell.conformance;

/**
 * Two queue pairs that are connected to each other.
 *
 * @param left the end that tests post to first
 * @param right its peer
 */
record Ends(End left, End right) {
  /** Resets both queue pairs. */
  void reset() {
    left.queuePair().reset();
    right.queuePair().reset();
  }
}
