package dev.bluebell.verbs.ring;

import java.lang.foreign.MemorySegment;

/**
 * The memory that a program registered for local writing, by its key. The driver writes there what
 * a device put into a completion instead: only where the device might have written. Thread-safe.
 */
public final class LocalMemory {
  private final NumberTable<Range> ranges = new NumberTable<>();

  /**
   * Makes memory known.
   *
   * @param lkey its key
   * @param address by which requests name its first byte
   * @param memory which nobody can free while it is known here
   */
  public void add(int lkey, long address, MemorySegment memory) {
    ranges.put(lkey, new Range(address, memory));
  }

  /** Forgets memory, whose registration ends. */
  public void remove(int lkey) {
    ranges.remove(lkey);
  }

  /**
   * Writes bytes.
   *
   * @param address as requests name it
   * @return false when the key is not known or the range not all in its memory; nothing was written
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
