package dev.bluebell.softnic.translation;

import dev.bluebell.hca.memory.Memory;
import java.util.Arrays;

/**
 * The memory of one message: pieces in order, as a gather or scatter list names them, translated to
 * addresses that the device can reach.
 *
 * <p>All payload that the device moves goes through {@code copyTo}. Invariant: every piece was
 * accepted by {@link KeyTable#translate} or lies in the device's own memory, and the list is used
 * only within the step that translated it.
 */
public final class SegmentList {
  private long[] addresses = new long[4];
  private int[] lengths = new int[4];
  private int count;

  public void clear() {
    count = 0;
  }

  public void add(long address, int length) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    addresses[count] = address;
    lengths[count] = length;
    count++;
  }

  /** Address of the first byte of a list of one piece. */
  public long onlyAddress() {
    return addresses[0];
  }

  /** Copies the first {@code bytes} of this list, which holds them, to one place. */
  public void copyTo(long address, int bytes) {
    if (count == 1) {
      Memory.copy(addresses[0], address, bytes);
      return;
    }
    int done = 0;
    for (int i = 0; done < bytes; i++) {
      int n = Math.min(lengths[i], bytes - done);
      Memory.copy(addresses[i], address + done, n);
      done += n;
    }
  }

  /** Copies the first {@code bytes} of this list into the first of another; both hold them. */
  public void copyTo(SegmentList to, int bytes) {
    if (to.count == 1) {
      copyTo(to.addresses[0], bytes);
    } else if (bytes > 0) {
      copyPieces(to, bytes);
    }
  }

  private void copyPieces(SegmentList to, int bytes) {
    int source = 0;
    int target = 0;
    int sourceAt = 0;
    int targetAt = 0;
    int left = bytes;
    while (left > 0) {
      int n = Math.min(left, Math.min(lengths[source] - sourceAt, to.lengths[target] - targetAt));
      Memory.copy(addresses[source] + sourceAt, to.addresses[target] + targetAt, n);
      left -= n;
      sourceAt += n;
      targetAt += n;
      if (sourceAt == lengths[source]) {
        source++;
        sourceAt = 0;
      }
      if (targetAt == to.lengths[target]) {
        target++;
        targetAt = 0;
      }
    }
  }
}
