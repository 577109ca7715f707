package dev.bluebell.softnic.translation;

import java.util.Arrays;

/**
 * A translation by entries that name other memory keys: a list of pieces, or a block of pieces that
 * repeats with strides. A UMR replaces the entries. Owned by the thread that runs the engine.
 */
final class Indirection implements Translation {
  private final int capacity;
  private int count;
  private int[] keys = new int[1];
  private long[] addresses = new long[1];
  private int[] strides = new int[1];

  // Offset of the end of each piece in one repetition of the block.
  private long[] ends = new long[1];
  private long turns = 1;

  // False until it gets its first entries, even empty ones.
  private boolean filled;

  /**
   * @param capacity the most entries
   */
  Indirection(int capacity) {
    this.capacity = capacity;
  }

  /** The most entries that it may have, of 16 bytes each. */
  int capacity() {
    return capacity;
  }

  // ---- changes

  /** Removes the entries; {@link #add} adds new ones. */
  void clear() {
    count = 0;
    turns = 1;
    filled = true;
  }

  /** Repeats the block of pieces, each time with each piece its stride further on. */
  void repeat(long times) {
    turns = times;
  }

  /** Adds a piece; an empty one is ignored. */
  void add(int key, long address, long bytes, int stride) {
    if (bytes == 0) {
      return;
    }
    if (count == keys.length) {
      int size = Math.min(capacity, 2 * count);
      keys = Arrays.copyOf(keys, size);
      addresses = Arrays.copyOf(addresses, size);
      strides = Arrays.copyOf(strides, size);
      ends = Arrays.copyOf(ends, size);
    }
    keys[count] = key;
    addresses[count] = address;
    strides[count] = stride;
    ends[count] = turnBytes() + bytes;
    count++;
  }

  /** Makes all pieces of one length: those of a key of pages. */
  void resize(long bytes) {
    for (int i = 0; i < count; i++) {
      ends[i] = (i + 1) * bytes;
    }
  }

  private long turnBytes() {
    return count == 0 ? 0 : ends[count - 1];
  }

  // ---- look-up

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public long direct() {
    return 0;
  }

  @Override
  public boolean translate(long offset, int bytes, int key, Walk walk, SegmentList out) {
    if (!filled) {
      walk.addNothing(bytes, key, out);
      return true;
    }
    if (count == 0) {
      return walk.refuseBehindEnd(key, bytes);
    }
    long perTurn = turnBytes();
    long turn = offset / perTurn;
    long within = offset % perTurn;
    int entry = entryAt(within);
    int left = bytes;
    while (left > 0) {
      if (turn >= turns) {
        return walk.refuseBehindEnd(key, left);
      }
      long start = entry == 0 ? 0 : ends[entry - 1];
      int piece = (int) Math.min(left, ends[entry] - within);
      long address = addresses[entry] + turn * strides[entry] + within - start;
      if (!walk.enter(key, entry, keys[entry], address, piece, out)) {
        return false;
      }
      left -= piece;
      within += piece;
      if (within == ends[entry] && ++entry == count) {
        entry = 0;
        within = 0;
        turn++;
      }
    }
    return true;
  }

  /** The entry that holds a byte of one repetition of the block. */
  private int entryAt(long within) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (ends[middle] <= within) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
