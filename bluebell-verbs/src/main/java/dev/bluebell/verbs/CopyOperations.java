package dev.bluebell.verbs;

import java.util.Objects;

/**
 * Copies within the memory of the device's host, without a peer.
 *
 * @param <M> the stage that follows
 */
@CheckReturnValue
public interface CopyOperations<M> {

  /**
   * Starts a copy.
   *
   * @param from address of the first source byte, as registered
   * @param fromKey {@link MemoryRegion#lkey()} of the source region
   * @param to address of the first destination byte, as registered
   * @param toKey key of a region with {@link Access#LOCAL_WRITE}
   * @param length bytes, at least 1
   * @throws IllegalStateException when the queue pair was created without {@code memoryCopies}
   */
  M copyMemory(long from, int fromKey, long to, int toKey, int length);

  /**
   * Starts a copy between ranges of regions, as {@link #copyMemory(long, int, long, int, int)}.
   *
   * @throws IndexOutOfBoundsException when a range exceeds its region
   */
  default M copyMemory(MemoryRegion source, long from, MemoryRegion target, long to, int length) {
    return copyMemory(
        address(source, from, length),
        source.lkey(),
        address(target, to, length),
        target.lkey(),
        length);
  }

  private static long address(MemoryRegion region, long offset, int length) {
    return region.address() + Objects.checkFromIndexSize(offset, length, region.length());
  }
}
