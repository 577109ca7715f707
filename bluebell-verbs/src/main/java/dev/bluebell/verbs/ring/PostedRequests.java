package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;

/**
 * What a send queue remembers of its requests: a table of two words for each slot of the ring, the
 * id of the request that starts there, and its size in WQEBBs with flags, 0 where none starts. The
 * posting thread writes a request before the device knows it, the polling thread reads it after the
 * device completed it.
 *
 * <p>The table is native memory, and its users hold its address and mask themselves: either costs
 * fewer checks and loads than an array in an object. All functions take the table's address, its
 * size in bytes less 1 (the size being a power of two), and a WQEBB index.
 */
final class PostedRequests {
  static final int SLOT_BYTES = 16;

  /** No request takes more WQEBBs; fill has a larger {@link #size}. */
  static final int MAX_SIZE = 0xff;

  private static final int SIGNALED = 1 << 8;
  private static final int FILL = 1 << 9;

  private PostedRequests() {}

  private static long slot(long table, int mask, int index) {
    return table + (index * SLOT_BYTES & mask) & AddressBits.ALL;
  }

  static void addSignaled(long table, int mask, int index, int wqebbs, long id) {
    put(table, mask, index, wqebbs, wqebbs | SIGNALED, id);
  }

  static void addUnsignaled(long table, int mask, int index, int wqebbs, long id) {
    put(table, mask, index, wqebbs, wqebbs, id);
  }

  /** Adds NOP that fills the end of the ring. */
  static void addFill(long table, int mask, int index, int wqebbs) {
    put(table, mask, index, wqebbs, wqebbs | FILL, 0);
  }

  private static void put(long table, int mask, int index, int wqebbs, int entry, long id) {
    long slot = slot(table, mask, index);
    Memory.putNativeLong(slot, id);
    putEntry(slot, entry);
    for (int i = 1; i < wqebbs; i++) {
      putEntry(slot(table, mask, index + i), 0);
    }
  }

  private static void putEntry(long slot, int entry) {
    // Mostly it is there already, from the last time round the ring, and stores are what posting is
    // bound by.
    if (Memory.getNativeLong(slot + 8) != entry) {
      Memory.putNativeLong(slot + 8, entry);
    }
  }

  static long id(long table, int mask, int index) {
    return Memory.getNativeLong(slot(table, mask, index));
  }

  /**
   * WQEBBs of the request that starts at an index, 0 when none starts there; of fill more than
   * {@link #MAX_SIZE}.
   */
  static int size(long table, int mask, int index) {
    return entry(table, mask, index) & (MAX_SIZE | FILL);
  }

  /** WQEBBs of fill, from its size. */
  static int fillSize(int size) {
    return size & MAX_SIZE;
  }

  /** True when one of the requests in a range of indices is signalled. */
  static boolean hasSignaled(long table, int mask, int from, int to) {
    for (int index = to - 1, left = to - from & 0xffff; left > 0; index--, left--) {
      if ((entry(table, mask, index) & SIGNALED) != 0) {
        return true;
      }
    }
    return false;
  }

  private static int entry(long table, int mask, int index) {
    return (int) Memory.getNativeLong(slot(table, mask, index) + 8);
  }
}
