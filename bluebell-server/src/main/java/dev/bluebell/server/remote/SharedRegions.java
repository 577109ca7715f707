package dev.bluebell.server.remote;

import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory that one client shares, by number. A region is unmapped once the client has returned it
 * and no device object lies in it. For one thread.
 */
final class SharedRegions implements AutoCloseable {
  private final Account account;
  private final Map<Integer, Region> regions = new HashMap<>();
  private int next;

  SharedRegions(Account account) {
    this(account, 1);
  }

  /**
   * @param first number of the first piece
   */
  SharedRegions(Account account, int first) {
    this.account = account;
    next = first;
  }

  /** One piece of memory. */
  private final class Region {
    private final int number;
    private final SharedMemory memory;
    private final Account.Hold hold;
    private int users;
    private boolean givenBack;

    Region(int number, SharedMemory memory, Account.Hold hold) {
      this.number = number;
      this.memory = memory;
      this.hold = hold;
    }

    void closeUnlessUsed() throws IOException {
      if (givenBack && users == 0 && regions.remove(number) != null) {
        memory.close();
        hold.close();
      }
    }
  }

  /** Makes memory and returns its number. */
  int allocate(long bytes) {
    if (bytes <= 0
        || bytes % SharedMemory.PAGE_BYTES != 0
        || bytes > ClientMemory.MAX_SHARED_BYTES) {
      throw Connection.failure(
          "%d bytes can't be shared: a piece has whole pages, and at most %d bytes"
              .formatted(bytes, ClientMemory.MAX_SHARED_BYTES));
    }
    if (next < 0) {
      throw Connection.failure("the connection had too many pieces of memory; open another");
    }
    Account.Hold hold = account.take(Quota.MAPPINGS).and(Quota.BYTES, bytes);
    try {
      SharedMemory memory = new SharedMemory("bluebell-shared", bytes);
      regions.put(next, new Region(next, memory, hold));
      return next++;
    } catch (IOException e) {
      hold.close();
      throw Connection.failure(e);
    } catch (RuntimeException | Error e) {
      hold.close();
      throw e;
    }
  }

  /** Number of pieces. */
  int count() {
    return regions.size();
  }

  /** Bytes of all pieces. */
  long bytes() {
    return regions.values().stream().mapToLong(region -> region.memory.segment().byteSize()).sum();
  }

  /** The memory with a number, for the client to map. */
  SharedMemory memory(int number) {
    return find(number).memory;
  }

  private Region find(int number) {
    Region region = regions.get(number);
    if (region == null) {
      throw new IllegalArgumentException("number %d does not name shared memory".formatted(number));
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
  @Override
  public void close() throws IOException {
    for (Region region : regions.values().toArray(Region[]::new)) {
      region.givenBack = true;
      region.closeUnlessUsed();
    }
  }
}
