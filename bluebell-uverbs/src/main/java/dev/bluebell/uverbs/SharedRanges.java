package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pages of a program that the device has mapped too: queue buffers, and pages of doorbell records,
 * which several objects share. For one thread.
 */
final class SharedRanges {
  /** Largest buffer of one queue: a completion queue of 2^22 entries. */
  private static final long MAX_BYTES = 1L << 28;

  private final Hca hca;
  private final ShimChannel shim;
  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  SharedRanges(Hca hca, ShimChannel shim) {
    this.hca = hca;
    this.shim = shim;
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
    long start = address & -SharedMemory.PAGE_BYTES;
    long end = address + bytes + SharedMemory.PAGE_BYTES - 1 & -SharedMemory.PAGE_BYTES;
    Map.Entry<Long, Range> before = ranges.lowerEntry(end);
    if (before != null && before.getValue().end() > start) {
      Range range = before.getValue();
      Refusal.require(
          range.address <= start && range.end() >= end,
          Errno.EINVAL,
          "%s: pages at 0x%x are partly those of another queue",
          what,
          start);
      return new Place(range, address - range.address);
    }
    SharedMemory memory = new SharedMemory("bluebell-queue", end - start);
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
