package dev.bluebell.verbs;

/** The stage in which a list of pieces has none yet. */
@CheckReturnValue
public interface ListLayout {

  /**
   * Adds a piece of a region.
   *
   * @param offset of its first byte in the region
   * @param length bytes, 1 … 2^31
   * @throws IndexOutOfBoundsException when the piece is not all in the region; the request is
   *     dropped
   */
  ListPieces piece(MemoryRegion region, long offset, long length);

  /**
   * Adds a piece of a region that is a list or interleaved itself.
   *
   * @param offset of its first byte in the region
   * @param length bytes, 1 … 2^31
   * @throws IndexOutOfBoundsException as for other regions
   */
  ListPieces piece(IndirectRegion region, long offset, long length);

  /**
   * Adds a piece of whatever a key names.
   *
   * @param address of the first byte, as the key names it
   * @param length bytes, 1 … 2^31
   */
  ListPieces piece(long address, long length, int lkey);
}
