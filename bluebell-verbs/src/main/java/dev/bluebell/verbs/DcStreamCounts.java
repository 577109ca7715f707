package dev.bluebell.verbs;

/**
 * How many streams a queue pair has.
 *
 * @param streams a power of two
 * @param failures streams that must have failed for the queue pair to fail; a power of two
 */
record DcStreamCounts(int streams, int failures) {
  /** Of a queue pair without streams. */
  static final DcStreamCounts NONE = new DcStreamCounts(1, 1);

  boolean areThere() {
    return streams > 1;
  }
}
