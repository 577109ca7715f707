package dev.bluebell.verbs.object;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaUmem;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a queue: page aligned, zeroed, registered as a umem, and freed only when it is
 * unreachable.
 *
 * @param segment the memory
 * @param umem its registration
 */
public record QueueMemory(MemorySegment segment, HcaUmem umem) {
  private static final int PAGE_BYTES = 4096;

  public static QueueMemory allocate(Hca hca, long bytes, Teardown teardown) {
    long size = -(-bytes & -PAGE_BYTES);
    MemorySegment segment = hca.allocate(size);
    HcaUmem umem = hca.registerUmem(segment);
    teardown.add(umem::close);
    return new QueueMemory(segment, umem);
  }

  public long address() {
    return segment.address();
  }
}
