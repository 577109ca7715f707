package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;

/**
 * The memory of a send queue: a table of two words for each slot of the ring. The first is the id
 * of the request that starts there; the second holds a flag and a mark: the size in WQEBBs, 0 where
 * none starts. Requests that a poller must treat specially have a negative mark. The posting thread
 * writes a request before the device knows it, the polling thread reads it after the device
 * completed it.
 *
 * <p>The table is native memory, and its users hold its address and mask themselves: either costs
 * fewer checks and loads than an array in an object. All functions take the table's address, the
 * number of its slots less 1 (the number being a power of two), and a WQEBB index.
 */
final class PostedRequests {
  static final int SLOT_BYTES = 16;
  private static final long SIGNALED = 1L << 32;

  /** Bits 31 and 30 of the mark of a named request; both are set in that of fill. */
  private static final int NAMED = 0b10;

  private static final int NAMED_SHIFT = 30;
  private static final int NAME_SHIFT = 16;
  private static final int NAME_MASK = 0xff;

  private PostedRequests() {}

  /** Address of a slot. */
  static long slot(long table, int mask, int index) {
    return table + (long) (index & mask) * SLOT_BYTES & Memory.ADDRESS_BITS;
  }

  /** Id of the request that starts in a slot. */
  static long id(long slot) {
    return Memory.getNativeLong(slot);
  }

  /** The size of most requests: positive if a slot has nothing special, and negative otherwise. */
  static int mark(long slot) {
    return (int) Memory.getNativeLong(slot + 8);
  }

  /**
   * WQEBBs of the request that starts in a slot; 0 when none starts there, negative for NOP fill.
   */
  static int size(long slot) {
    int mark = mark(slot);
    return isNamed(mark) ? mark & (1 << NAME_SHIFT) - 1 : mark;
  }

  private static boolean isNamed(int mark) {
    return mark >>> NAMED_SHIFT == NAMED;
  }

  /** The name that {@link #setName} gave to the request that starts in a slot, or 0. */
  static int name(long slot) {
    int mark = mark(slot);
    return isNamed(mark) ? mark >>> NAME_SHIFT & NAME_MASK : 0;
  }

  /**
   * Names a request, for its completion.
   *
   * @param name 1 to 255
   */
  static void setName(long slot, int name) {
    long entry = Memory.getNativeLong(slot + 8);
    putEntry(slot, entry | (long) NAMED << NAMED_SHIFT | (long) name << NAME_SHIFT);
  }

  static void addSignaled(long table, int mask, int index, int wqebbs, long id) {
    put(table, mask, index, wqebbs, wqebbs | SIGNALED, id);
  }

  static void addUnsignaled(long table, int mask, int index, int wqebbs, long id) {
    put(table, mask, index, wqebbs, wqebbs, id);
  }

  /** Adds NOP that fills the end of the ring. */
  static void addFill(long table, int mask, int index, int wqebbs) {
    put(table, mask, index, wqebbs, -wqebbs & 0xffffffffL, 0);
  }

  /** Clears a range of indices, at most as long as the ring: no request starts there. */
  static void clear(long table, int mask, int from, int to) {
    for (int index = from, left = to - from & 0xffff; left > 0; index++, left--) {
      putEntry(slot(table, mask, index), 0);
    }
  }

  private static void put(long table, int mask, int index, int wqebbs, long entry, long id) {
    long slot = slot(table, mask, index);
    Memory.putNativeLong(slot, id);
    putEntry(slot, entry);
    for (int i = 1; i < wqebbs; i++) {
      putEntry(slot(table, mask, index + i), 0);
    }
  }

  private static void putEntry(long slot, long entry) {
    // Usually the slot has this value from the last pass over the ring. Posting is bound by stores.
    if (Memory.getNativeLong(slot + 8) != entry) {
      Memory.putNativeLong(slot + 8, entry);
    }
  }

  /** True when one of the requests in a range of indices is signalled. */
  static boolean hasSignaled(long table, int mask, int from, int to) {
    for (int index = to - 1, left = to - from & 0xffff; left > 0; index--, left--) {
      if ((Memory.getNativeLong(slot(table, mask, index) + 8) & SIGNALED) != 0) {
        return true;
      }
    }
    return false;
  }
}
