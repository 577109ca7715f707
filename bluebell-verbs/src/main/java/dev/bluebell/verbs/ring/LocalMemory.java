package dev.bluebell.verbs.ring;

import java.lang.foreign.MemorySegment;

/**
 * The memory that the application registered for local writes, by key. When a device puts data into
 * a completion, the driver copies it to this memory, and only where the device itself could have
 * written. Thread-safe.
 */
public final class LocalMemory {
  private final NumberTable<Range> ranges = new NumberTable<>();

  /**
   * Adds registered memory.
   *
   * @param lkey its key
   * @param address by which requests name its first byte
   * @param memory cannot be freed while it is in this table
   * @return removes it again, when it is deregistered; other memory may have the key by then
   */
  public Runnable add(int lkey, long address, MemorySegment memory) {
    Range range = new Range(address, memory);
    ranges.put(lkey, range);
    return () -> ranges.remove(lkey, range);
  }

  /**
   * Writes bytes.
   *
   * @param address as requests name it
   * @return false when the key is unknown or the range exceeds its memory; nothing was written
   */
  public boolean write(int lkey, long address, MemorySegment source, long from, long length) {
    Range range = ranges.get(lkey);
    if (range == null || !range.holds(address, length)) {
      return false;
    }
    MemorySegment.copy(source, from, range.memory, address - range.address, length);
    return true;
  }

  private record Range(long address, MemorySegment memory) {
    boolean holds(long at, long length) {
      long offset = at - address;
      return offset >= 0 && offset <= memory.byteSize() - length;
    }
  }
}
