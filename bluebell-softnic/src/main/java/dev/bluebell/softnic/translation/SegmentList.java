package dev.bluebell.softnic.translation;

import dev.bluebell.hca.memory.Memory;
import java.util.Arrays;

/**
 * The memory of one message: pieces in order, as a gather or scatter list names them, translated to
 * addresses that the device can reach.
 *
 * <p>All payload that the device moves goes through {@link #copy}. Invariant: every piece was
 * accepted by {@link KeyTable#translate} or lies in the device's own memory, and the list is used
 * only within the step that translated it.
 */
public final class SegmentList {
  private long[] addresses = new long[4];
  private int[] lengths = new int[4];
  private int count;
  private long total;

  public void clear() {
    count = 0;
    total = 0;
  }

  public void add(long address, int length) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    addresses[count] = address;
    lengths[count] = length;
    count++;
    total += length;
  }

  /** Bytes of all pieces together. */
  public long total() {
    return total;
  }

  /** Address of the first byte of a list of one piece. */
  public long onlyAddress() {
    return addresses[0];
  }

  /** Copies {@code bytes} from one list into another; both must hold them from their offsets on. */
  public static void copy(
      SegmentList from, long fromOffset, SegmentList to, long toOffset, long bytes) {
    if (from.count == 1 && to.count == 1) {
      Memory.copy(from.addresses[0] + fromOffset, to.addresses[0] + toOffset, bytes);
    } else if (bytes > 0) {
      copyPieces(from, fromOffset, to, toOffset, bytes);
    }
  }

  private static void copyPieces(
      SegmentList from, long fromOffset, SegmentList to, long toOffset, long bytes) {
    int source = 0;
    int target = 0;
    long sourceAt = fromOffset;
    long targetAt = toOffset;
    long left = bytes;
    while (left > 0) {
      while (sourceAt >= from.lengths[source]) {
        sourceAt -= from.lengths[source++];
      }
      while (targetAt >= to.lengths[target]) {
        targetAt -= to.lengths[target++];
      }
      long n =
          Math.min(left, Math.min(from.lengths[source] - sourceAt, to.lengths[target] - targetAt));
      Memory.copy(from.addresses[source] + sourceAt, to.addresses[target] + targetAt, n);
      sourceAt += n;
      targetAt += n;
      left -= n;
    }
  }
}
