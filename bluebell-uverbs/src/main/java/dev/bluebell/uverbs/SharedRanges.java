package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.server.Processes;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a program that the device has mapped too: queue buffers, pages of doorbell records,
 * which several objects share, and registered memory of programs that allow it. For one thread.
 */
final class SharedRanges {
  /** Largest buffer of one queue: a completion queue of 2^22 entries. */
  private static final long MAX_BYTES = 1L << 28;

  private final Hca hca;
  private final ShimChannel shim;
  private final int pid;
  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  SharedRanges(Hca hca, ShimChannel shim, int pid) {
    this.hca = hca;
    this.shim = shim;
    this.pid = pid;
  }

  private static final class Range {
    final long address;
    final SharedMemory memory;
    final HcaUmem umem;
    int users;

    Range(long address, SharedMemory memory, HcaUmem umem) {
      this.address = address;
      this.memory = memory;
      this.umem = umem;
    }

    long end() {
      return address + memory.segment().byteSize();
    }
  }

  /** A place in memory that the device has. */
  final class Place {
    private final Range range;
    private final long offset;
    private boolean released;

    private Place(Range range, long offset) {
      this.range = range;
      this.offset = offset;
      range.users++;
    }

    int umem() {
      return range.umem.number();
    }

    long offset() {
      return offset;
    }

    /** The memory itself, valid until the place is released. */
    MemorySegment memory(long bytes) {
      return range.memory.segment().asSlice(offset, bytes);
    }

    /**
     * Gives the place back, when no object lies there any more.
     *
     * @param alive whether the program is still there to have its own memory back
     */
    void release(boolean alive) throws IOException {
      if (released) {
        return;
      }
      released = true;
      if (--range.users > 0) {
        return;
      }
      ranges.remove(range.address);
      range.umem.close();
      try {
        if (alive) {
          shim.unmap(range.address, range.memory.segment().byteSize());
        }
      } finally {
        range.memory.close();
      }
    }
  }

  /** Shares the pages that hold {@code [address, address + bytes)}, if they are not shared yet. */
  Place share(String what, long address, long bytes) throws IOException {
    Refusal.require(
        bytes > 0 && bytes <= MAX_BYTES && address > 0 && address <= Long.MAX_VALUE - 2 * MAX_BYTES,
        Errno.EINVAL,
        "%s: %d bytes at 0x%x are no memory",
        what,
        bytes,
        address);
    long start = firstPage(address);
    long end = endOfPages(address + bytes);
    @Nullable Range range = overlapping(start, end);
    if (range == null) {
      return share(start, end, address);
    }
    Refusal.require(
        range.address <= start && range.end() >= end,
        Errno.EINVAL,
        "%s: pages at 0x%x are partly those of another queue",
        what,
        start);
    return new Place(range, address - range.address);
  }

  /**
   * As {@link #share}, for memory that need not be shared.
   *
   * @return null when the memory can't be, as it is not the program's alone, or too large
   */
  @Nullable Place tryToShare(long address, long bytes) throws IOException {
    if (bytes <= 0 || bytes > MAX_BYTES || address <= 0) {
      return null;
    }
    long start = firstPage(address);
    long end = endOfPages(address + bytes);
    @Nullable Range range = overlapping(start, end);
    if (range != null) {
      return range.address <= start && range.end() >= end
          ? new Place(range, address - range.address)
          : null;
    }
    return Processes.hasToItself(pid, start, end - start) ? share(start, end, address) : null;
  }

  private static long firstPage(long address) {
    return address & -SharedMemory.PAGE_BYTES;
  }

  private static long endOfPages(long end) {
    return firstPage(end + SharedMemory.PAGE_BYTES - 1);
  }

  /** A range that has one of these pages; null when none has. */
  private @Nullable Range overlapping(long start, long end) {
    Map.Entry<Long, Range> before = ranges.lowerEntry(end);
    return before != null && before.getValue().end() > start ? before.getValue() : null;
  }

  private Place share(long start, long end, long address) throws IOException {
    SharedMemory memory = new SharedMemory("bluebell-pages", end - start);
    try {
      shim.map(start, memory);
      Range range = new Range(start, memory, hca.registerUmem(memory.segment()));
      ranges.put(start, range);
      return new Place(range, address - start);
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
  }
}
