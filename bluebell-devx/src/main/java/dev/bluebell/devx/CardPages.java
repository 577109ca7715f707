package dev.bluebell.devx;

import dev.bluebell.hca.uverbs.Mlx5;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The mapped pages of a card's memory; one page may contain several pieces of memory. Thread-safe.
 */
final class CardPages {
  private final UverbsFile file;
  private final Map<Integer, Page> pages = new HashMap<>();

  /** A page and the number of pieces of memory in it. */
  private record Page(MemorySegment memory, int users) {}

  CardPages(UverbsFile file) {
    this.file = file;
  }

  /** Maps the pages of a piece of memory at their place in a window. */
  synchronized void map(MemorySegment window, int first, int count) {
    MemorySegment place =
        window.asSlice((long) first * UverbsFile.PAGE_BYTES, (long) count * UverbsFile.PAGE_BYTES);
    file.map(
        "device memory",
        UverbsFile.offset(Mlx5.IB_MMAP_DEVICE_MEM, first),
        place,
        UverbsFile.PROT_READ | UverbsFile.PROT_WRITE);
    for (int i = 0; i < count; i++) {
      MemorySegment page = place.asSlice((long) i * UverbsFile.PAGE_BYTES, UverbsFile.PAGE_BYTES);
      pages.merge(first + i, new Page(page, 1), (held, added) -> new Page(page, held.users() + 1));
    }
  }

  /** Unmaps the pages of a piece of memory that contain no other piece. */
  synchronized void unmap(int first, int count) {
    for (int index = first; index < first + count; index++) {
      Page page = pages.remove(index);
      if (page != null && page.users() > 1) {
        pages.put(index, new Page(page.memory(), page.users() - 1));
      } else if (page != null) {
        file.unmap(page.memory());
      }
    }
  }
}
