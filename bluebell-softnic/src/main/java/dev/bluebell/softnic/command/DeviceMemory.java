package dev.bluebell.softnic.command;

import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The allocator of device memory (MEMIC), by address in the BAR. It assigns pages; the caller of
 * {@link #allocate} supplies the bytes behind them. Owned by the thread that runs the engine.
 */
final class DeviceMemory {
  private static final int PAGE_BYTES = Limits.MEMIC_PAGE_BYTES;

  /** Device memory has no number in commands. */
  private static final int NO_NUMBER = 0;

  private final BitSet pages = new BitSet(Limits.MEMIC_BAR_BYTES / PAGE_BYTES);
  private final TreeMap<Long, Umem> allocations = new TreeMap<>();

  /** True when a range lies in the BAR; any values are accepted. */
  static boolean isInBar(long address, long bytes) {
    long offset = address - Limits.MEMIC_BAR_START;
    return offset >= 0
        && bytes >= 0
        && bytes <= Limits.MEMIC_BAR_BYTES
        && offset <= Limits.MEMIC_BAR_BYTES - bytes;
  }

  /**
   * Takes the first free pages.
   *
   * @param start of the range in the BAR where they must lie
   * @param bytes at least 1
   * @param window the bytes of the whole BAR
   * @return the address, at the start of a page; −1 when there are not enough consecutive free
   *     pages
   */
  long allocate(long start, long range, long bytes, MemorySegment window) {
    int first = pagesOf(start - Limits.MEMIC_BAR_START);
    int end = (int) ((start + range - Limits.MEMIC_BAR_START) / PAGE_BYTES);
    int count = pagesOf(bytes);
    int page = pages.nextClearBit(first);
    while (page + count <= end) {
      int taken = pages.nextSetBit(page);
      if (taken < 0 || taken >= page + count) {
        long offset = (long) page * PAGE_BYTES;
        pages.set(page, page + count);
        allocations.put(
            Limits.MEMIC_BAR_START + offset, new Umem(NO_NUMBER, window.asSlice(offset, bytes)));
        return Limits.MEMIC_BAR_START + offset;
      }
      page = pages.nextClearBit(taken);
    }
    return -1;
  }

  /** Pages for a number of bytes, at most the size of the BAR. */
  private static int pagesOf(long bytes) {
    return (int) ((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
  }

  /** The allocation at exactly this address, any 64 bits; null when there is none. */
  @Nullable Umem at(long address) {
    return allocations.get(address);
  }

  /** A range in one allocation. */
  record Place(Umem umem, long offset) {}

  /** The place of a range, any values; null when no single allocation contains it. */
  @Nullable Place find(long address, long bytes) {
    Map.Entry<Long, Umem> below = allocations.floorEntry(address);
    if (below == null || !below.getValue().contains(address - below.getKey(), bytes)) {
      return null;
    }
    return new Place(below.getValue(), address - below.getKey());
  }

  /** Frees an allocation that {@link #at} found. */
  void free(long address, Umem umem) {
    allocations.remove(address);
    int page = pagesOf(address - Limits.MEMIC_BAR_START);
    pages.clear(page, page + pagesOf(umem.length()));
  }

  /** Number of pages of the whole BAR. */
  int pages() {
    return pagesOf(Limits.MEMIC_BAR_BYTES);
  }

  /**
   * The number of an allocation that begins at a page, for clients: the low bits of its address.
   */
  static int number(int page) {
    return (int) address(page);
  }

  private static long address(int page) {
    return Limits.MEMIC_BAR_START + (long) page * PAGE_BYTES;
  }

  /** A line about the allocation that begins at a page; null when none does. */
  @Nullable String describe(int page) {
    long address = address(page);
    Umem memory = at(address);
    return memory == null
        ? null
        : "device memory 0x%x: %d bytes, %d users"
            .formatted(address, memory.length(), memory.users());
  }
}
