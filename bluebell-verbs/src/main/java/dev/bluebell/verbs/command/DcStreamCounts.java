package dev.bluebell.verbs.command;

/**
 * The number of streams of a queue pair, and of failures that it tolerates.
 *
 * @param streams a power of two
 * @param failures streams that must have failed for the queue pair to fail; a power of two
 */
public record DcStreamCounts(int streams, int failures) {
  /** The counts of a queue pair without streams. */
  public static final DcStreamCounts NONE = new DcStreamCounts(1, 1);

  public boolean areThere() {
    return streams > 1;
  }
}
