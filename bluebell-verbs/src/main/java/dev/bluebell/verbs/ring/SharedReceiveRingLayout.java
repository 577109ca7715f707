package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.NextSegment;
import dev.bluebell.verbs.value.Sizes;

/**
 * The memory layout of a shared receive queue. The addresses must stay valid as long as the ring is
 * used, and are trusted.
 *
 * @param address of the entries; a multiple of 16
 * @param logEntries binary logarithm of the number of entries, 1 … 15; one of them is always spare
 * @param logStride binary logarithm of an entry's bytes, 5 … 11
 * @param doorbellRecord address of the doorbell record
 * @param name of the queue, as messages name it
 */
public record SharedReceiveRingLayout(
    long address, int logEntries, int logStride, long doorbellRecord, String name) {
  private static final int MAX_LOG_ENTRIES = 15;
  private static final int MIN_LOG_STRIDE = 5;
  private static final int MAX_LOG_STRIDE = 11;

  /** Refuses values that would lead to accesses outside the entries. */
  public SharedReceiveRingLayout {
    if (logEntries < 1 || logEntries > MAX_LOG_ENTRIES) {
      throw new IllegalArgumentException(
          "a shared receive queue has 2^1 to 2^15 entries, not 2^%d".formatted(logEntries));
    }
    if (logStride < MIN_LOG_STRIDE || logStride > MAX_LOG_STRIDE) {
      throw new IllegalArgumentException(
          "an entry of a shared receive queue has 2^5 to 2^11 bytes, not 2^%d"
              .formatted(logStride));
    }
  }

  /**
   * Binary logarithm of the stride that requests with the given number of segments need.
   *
   * @param maxScatter segments of a request, 1 … 127
   */
  public static int logStride(int maxScatter) {
    int bytes = NextSegment.BYTES + Math.max(1, maxScatter) * DataSegment.BYTES;
    return Sizes.log2Ceiling(bytes);
  }

  /**
   * Binary logarithm of the entries for the given number of requests and the spare entry.
   *
   * @param requests 1 … 32767
   */
  public static int logEntries(int requests) {
    return Sizes.log2Ceiling(requests + 1);
  }

  /** Number of entries, including the spare one. */
  int entries() {
    return 1 << logEntries;
  }

  /** Scatter segments of an entry. */
  int maxScatter() {
    return ((1 << logStride) - NextSegment.BYTES) / DataSegment.BYTES;
  }

  /** Writes the index of the following entry into an entry. */
  void link(int entry, int next) {
    long at = address + ((long) entry << logStride) & Memory.ADDRESS_BITS;
    // The rest of the word is reserved, or the signature, which libmlx5 leaves 0 here.
    Memory.putLong(at, NextSegment.NEXT_WQE_INDEX.place(next));
  }
}
