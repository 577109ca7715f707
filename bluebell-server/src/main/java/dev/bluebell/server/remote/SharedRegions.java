package dev.bluebell.server.remote;

import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory that one client shares, by number. A region is unmapped when the client has given it back
 * and no object of the device lies in it any more. For one thread.
 */
final class SharedRegions {
  private static final long MAX_TOTAL_BYTES = 1L << 36;
  private static final int MAX_REGIONS = 1 << 14;

  private final Map<Integer, Region> regions = new HashMap<>();
  private long total;
  private int next = 1;

  /** One piece of memory. */
  private final class Region {
    private final int number;
    private final SharedMemory memory;
    private int users;
    private boolean givenBack;

    Region(int number, SharedMemory memory) {
      this.number = number;
      this.memory = memory;
    }

    void closeUnlessUsed() throws IOException {
      if (givenBack && users == 0 && regions.remove(number) != null) {
        total -= memory.segment().byteSize();
        memory.close();
      }
    }
  }

  /** Makes memory and returns its number. */
  int allocate(long bytes) throws IOException {
    if (bytes <= 0
        || bytes % SharedMemory.PAGE_BYTES != 0
        || bytes > ClientMemory.MAX_SHARED_BYTES
        || bytes > MAX_TOTAL_BYTES - total
        || regions.size() >= MAX_REGIONS) {
      throw new IOException(
          "a program that shares %d bytes in %d pieces can't share %d more"
              .formatted(total, regions.size(), bytes));
    }
    SharedMemory memory = new SharedMemory("bluebell-shared", bytes);
    total += bytes;
    regions.put(next, new Region(next, memory));
    return next++;
  }

  /** How many pieces there are. */
  int count() {
    return regions.size();
  }

  /** Bytes of all pieces. */
  long bytes() {
    return total;
  }

  /** The memory with a number, for the client to map. */
  SharedMemory memory(int number) {
    return find(number).memory;
  }

  private Region find(int number) {
    Region region = regions.get(number);
    if (region == null) {
      throw new IllegalArgumentException("number %d names no shared memory".formatted(number));
    }
    return region;
  }

  void giveBack(int number) throws IOException {
    Region region = find(number);
    region.givenBack = true;
    region.closeUnlessUsed();
  }

  /** A part of a piece of memory, which stays mapped until {@link #release}; takes any values. */
  MemorySegment use(int number, long offset, long bytes) {
    Region region = find(number);
    MemorySegment all = region.memory.segment();
    if (offset < 0 || bytes < 0 || bytes > all.byteSize() || offset > all.byteSize() - bytes) {
      throw new IllegalArgumentException(
          "%d bytes at offset %d reach outside the %d bytes of shared memory %d"
              .formatted(bytes, offset, all.byteSize(), number));
    }
    region.users++;
    return all.asSlice(offset, bytes);
  }

  void release(int number) throws IOException {
    Region region = find(number);
    region.users--;
    region.closeUnlessUsed();
  }

  /** Unmaps all memory in which no object of the device lies. */
  void giveAllBack() throws IOException {
    for (Region region : regions.values().toArray(Region[]::new)) {
      region.givenBack = true;
      region.closeUnlessUsed();
    }
  }
}
