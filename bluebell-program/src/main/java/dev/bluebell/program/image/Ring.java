package dev.bluebell.program.image;

/**
 * The ring of a send or receive queue: a range of a region, so that entries can access other
 * entries.
 *
 * @param region the memory that contains it
 * @param offset offset of its first byte in the region, a multiple of the stride
 * @param logStride binary logarithm of a slot's bytes: 6 for a send queue, whose slots are WQEBBs
 * @param logSlots binary logarithm of the number of slots
 * @param posted number of slots, from index 0, that hold entries when the program starts. For a
 *     queue with a doorbell record, it is the producer index; in a managed queue, nothing is
 *     enabled initially
 */
public record Ring(Region region, int offset, int logStride, int logSlots, int posted) {
  /** Checks that the region contains the ring. */
  public Ring {
    long bytes = 1L << logStride + logSlots;
    if (!region.contains(region.address() + offset, bytes)) {
      throw new IllegalArgumentException(
          "a ring of %d bytes at offset %d does not lie in %s".formatted(bytes, offset, region));
    }
    if (posted < 0 || posted > 1 << logSlots) {
      throw new IllegalArgumentException(
          "%d of %d slots cannot hold entries".formatted(posted, 1 << logSlots));
    }
  }

  /** Number of slots. */
  public int slots() {
    return 1 << logSlots;
  }

  /** True when entries fill it when the program starts. */
  public boolean isFull() {
    return posted == slots();
  }

  /** Address of the slot with an index, which wraps at the end of the ring. */
  public long address(int index) {
    return region.address() + offset + ((long) (index & slots() - 1) << logStride);
  }

  /** A copy of the initial content of the slot with an index. */
  public byte[] slot(int index) {
    byte[] slot = new byte[1 << logStride];
    int at = (int) (address(index) - region.address());
    System.arraycopy(region.bytes(), at, slot, 0, slot.length);
    return slot;
  }
}
