package dev.bluebell.verbs;

/** The stage in which an interleaved layout has no pieces yet. */
@CheckReturnValue
public interface InterleavedLayout {

  /**
   * Adds a piece to each turn, from a region.
   *
   * @param offset of the first turn's piece in the region
   * @param bytes of the piece, 1 … 65535
   * @param skip bytes between the piece and that of the next turn; both together at most 65535
   * @throws IndexOutOfBoundsException when not all turns are in the region; the request is dropped
   */
  InterleavedPieces piece(MemoryRegion region, long offset, int bytes, int skip);

  /**
   * Adds a piece to each turn, from whatever a key names.
   *
   * @param address of the first turn's piece, as the key names it
   * @param bytes of the piece, 1 … 65535
   * @param skip bytes between the piece and that of the next turn; both together at most 65535
   */
  InterleavedPieces piece(long address, int bytes, int skip, int lkey);
}
