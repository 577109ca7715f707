package dev.bluebell.verbs;

/** The stage in which an interleaved layout has no pieces yet. */
@CheckReturnValue
public interface InterleavedLayout {

  /**
   * Adds a piece of a region to each turn.
   *
   * @param offset offset of the first turn's piece in the region
   * @param bytes size of the piece, 1 … 65535
   * @param skip bytes between this piece and that of the next turn; {@code bytes + skip} is at most
   *     65535
   * @throws IndexOutOfBoundsException when a turn exceeds the region; the request is dropped
   */
  InterleavedPieces piece(MemoryRegion region, long offset, int bytes, int skip);

  /**
   * Adds a piece of any memory that has a key to each turn.
   *
   * @param address address of the first turn's piece, as used with the key
   * @param bytes size of the piece, 1 … 65535
   * @param skip bytes between this piece and that of the next turn; {@code bytes + skip} is at most
   *     65535
   */
  InterleavedPieces piece(long address, int bytes, int skip, int lkey);
}
