package dev.bluebell.conformance.traffic;

/** Bytes that READs and atomics without a later fence may still read and write. */
final class Races {
  private static final int MOST = 16;

  private final int[] sequences = new int[MOST];
  private final int[] from = new int[MOST];
  private final int[] into = new int[MOST];
  private final int[] bytes = new int[MOST];
  private int count;

  /** Notes what fetches some bytes, behind all that was noted before. */
  void fetches(int sequence, int source, int target, int length) {
    sequences[count] = sequence;
    from[count] = source;
    into[count] = target;
    bytes[count] = length;
    count++;
  }

  /** True when the next that fetches needs a fence before it. */
  boolean isFull() {
    return count == MOST;
  }

  /** True when a change of remote bytes could be seen by what fetches them. */
  boolean writeRaces(int at, int length) {
    return overlaps(from, at, length);
  }

  /** True when local bytes could be read before what is fetched is there. */
  boolean readRaces(int at, int length) {
    return overlaps(into, at, length);
  }

  private boolean overlaps(int[] starts, int at, int length) {
    for (int i = 0; i < count; i++) {
      if (starts[i] < at + length && at < starts[i] + bytes[i]) {
        return true;
      }
    }
    return false;
  }

  /** Everything before a sequence number is complete. */
  void completed(int sequence) {
    if (count > 0 && sequences[count - 1] - sequence <= 0) {
      count = 0;
    }
  }

  void clear() {
    count = 0;
  }
}
