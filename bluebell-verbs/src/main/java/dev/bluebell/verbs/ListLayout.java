package dev.bluebell.verbs;

/** The stage in which a list layout has no pieces yet. */
@CheckReturnValue
public interface ListLayout {

  /**
   * Adds a piece of a region.
   *
   * @param offset offset of its first byte in the region
   * @param length bytes, 1 … 2^31
   * @throws IndexOutOfBoundsException when the piece exceeds the region; the request is dropped
   */
  ListPieces piece(MemoryRegion region, long offset, long length);

  /**
   * Adds a piece of a region that itself has a layout.
   *
   * @param offset offset of its first byte in the region
   * @param length bytes, 1 … 2^31
   * @throws IndexOutOfBoundsException as for other regions
   */
  ListPieces piece(IndirectRegion region, long offset, long length);

  /**
   * Adds a piece of any memory that has a key.
   *
   * @param address address of the first byte, as used with the key
   * @param length bytes, 1 … 2^31
   */
  ListPieces piece(long address, long length, int lkey);
}
