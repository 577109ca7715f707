package dev.bluebell.uverbs.pages;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The pages that a client maps from its device file: its descriptor is this memory, so any mapping
 * by the client works without the device process. For one thread.
 */
public final class DevicePages implements AutoCloseable {
  /** Where device memory is mapped: the command in bits 8 and up, the page's index below. */
  private static final int DEVICE_MEMORY = Mlx5.IB_MMAP_DEVICE_MEM << 8;

  /** The kernel's interface fixes the offsets of the pages below. */
  private static final int FIRST_FREE = DEVICE_MEMORY + 256;

  private static final int PAGES = 4096;

  private final SharedMemory memory;
  private final List<Account.Hold> holds = new ArrayList<>();
  private final BitSet used = new BitSet(PAGES);

  /**
   * @param account of the client
   */
  public DevicePages(Account account) {
    try {
      holds.add(account.take(Quota.MAPPINGS));
      holds.add(account.take(Quota.DESCRIPTORS));
      memory = memory((long) PAGES * SharedMemory.PAGE_BYTES);
    } catch (RuntimeException e) {
      holds.forEach(Account.Hold::close);
      throw e;
    }
  }

  private static SharedMemory memory(long bytes) {
    try {
      return SharedMemory.sparse("bluebell-device", bytes);
    } catch (IOException refused) {
      throw Refusal.byKernel("memory for the device file of a client", refused);
    }
  }

  public SharedMemory memory() {
    return memory;
  }

  /** A zeroed page of the client. */
  public record Page(long offset, MemorySegment segment) {}

  /** Takes an unused page. */
  public Page take() {
    int index = used.nextClearBit(FIRST_FREE);
    Refusal.require(
        index < PAGES,
        Errno.ENOMEM,
        "the client already has %d pages of the device",
        PAGES - FIRST_FREE);
    Page page = at(index);
    page.segment().fill((byte) 0);
    used.set(index);
    return page;
  }

  /** The page at an index that the kernel's interface fixes. */
  public Page at(int index) {
    long offset = (long) index * SharedMemory.PAGE_BYTES;
    reserve(offset, SharedMemory.PAGE_BYTES);
    return new Page(offset, memory.segment().asSlice(offset, SharedMemory.PAGE_BYTES));
  }

  /**
   * The window for this client's device memory; its pages exist only after {@link
   * #makeDeviceMemory}.
   *
   * @param bytes size of the window
   */
  public MemorySegment deviceMemory(long bytes) {
    if (bytes > (long) (FIRST_FREE - DEVICE_MEMORY) * SharedMemory.PAGE_BYTES) {
      throw new IllegalArgumentException(
          "%d bytes have more pages than there are indices".formatted(bytes));
    }
    return memory.segment().asSlice((long) DEVICE_MEMORY * SharedMemory.PAGE_BYTES, bytes);
  }

  /**
   * Allocates zeroed pages for a piece of device memory.
   *
   * @param offset in the window, at the start of a page
   */
  public void makeDeviceMemory(long offset, long bytes) {
    long from = (long) DEVICE_MEMORY * SharedMemory.PAGE_BYTES + offset;
    long size = bytes + SharedMemory.PAGE_BYTES - 1 & -SharedMemory.PAGE_BYTES;
    reserve(from, size);
    memory.segment().asSlice(from, size).fill((byte) 0);
  }

  private void reserve(long offset, long bytes) {
    try {
      memory.reserve(offset, bytes);
    } catch (IOException refused) {
      throw Refusal.byKernel("%d bytes for the device file of a client".formatted(bytes), refused);
    }
  }

  public void give(Page page) {
    used.clear((int) (page.offset() / SharedMemory.PAGE_BYTES));
  }

  @Override
  public void close() throws IOException {
    memory.close();
    holds.forEach(Account.Hold::close);
  }
}
