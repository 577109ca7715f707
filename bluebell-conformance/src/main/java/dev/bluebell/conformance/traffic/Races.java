package dev.bluebell.conformance.traffic;

/** Byte ranges that READs and atomics without a later fence may still access. */
final class Races {
  private static final int MOST = 16;

  private final int[] sequences = new int[MOST];
  private final int[] from = new int[MOST];
  private final int[] into = new int[MOST];
  private final int[] bytes = new int[MOST];
  private int count;

  /** Records a request that fetches some bytes, after all recorded before. */
  void fetches(int sequence, int source, int target, int length) {
    sequences[count] = sequence;
    from[count] = source;
    into[count] = target;
    bytes[count] = length;
    count++;
  }

  /** True when the next fetching request needs a fence. */
  boolean isFull() {
    return count == MOST;
  }

  /** True when a pending fetch could see a change of remote bytes. */
  boolean writeRaces(int at, int length) {
    return overlaps(from, at, length);
  }

  /** True when local bytes could be read before a pending fetch has written them. */
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

  /** Called when all requests before a sequence number are complete. */
  void completed(int sequence) {
    if (count > 0 && sequences[count - 1] - sequence <= 0) {
      count = 0;
    }
  }

  void clear() {
    count = 0;
  }
}
