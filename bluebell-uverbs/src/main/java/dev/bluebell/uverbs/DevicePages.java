package dev.bluebell.uverbs;

import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The pages that a program maps from its device file: its descriptor is this memory, so that a
 * mapping needs nobody's help, however the program makes it. For one thread.
 */
final class DevicePages implements AutoCloseable {
  /** Pages below are at offsets that the kernel's interface fixes. */
  private static final int FIRST_FREE = 2048;

  private static final int PAGES = 4096;

  private final SharedMemory memory;
  private final BitSet used = new BitSet(PAGES);

  DevicePages() throws IOException {
    memory = SharedMemory.sparse("bluebell-device", (long) PAGES * SharedMemory.PAGE_BYTES);
  }

  SharedMemory memory() {
    return memory;
  }

  /** A page of the program, zero. */
  record Page(long offset, MemorySegment segment) {}

  /** Takes a page that no other object has. */
  Page take() throws IOException {
    int index = used.nextClearBit(FIRST_FREE);
    Refusal.require(
        index < PAGES, Errno.ENOMEM, "a program maps %d pages of its device", PAGES - FIRST_FREE);
    Page page = at(index);
    page.segment().fill((byte) 0);
    used.set(index);
    return page;
  }

  /** The page with an index that the kernel's interface fixes. */
  Page at(int index) throws IOException {
    long offset = (long) index * SharedMemory.PAGE_BYTES;
    memory.reserve(offset, SharedMemory.PAGE_BYTES);
    return new Page(offset, memory.segment().asSlice(offset, SharedMemory.PAGE_BYTES));
  }

  void give(Page page) {
    used.clear((int) (page.offset() / SharedMemory.PAGE_BYTES));
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
