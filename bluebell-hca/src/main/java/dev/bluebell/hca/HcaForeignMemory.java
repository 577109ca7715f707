package dev.bluebell.hca;

/**
 * Memory of another process that a device moves payload to and from, without having it mapped.
 *
 * <p>The threads that run the device call it any number of times, but only between registration and
 * the end of the key. A call may take long, for example for a page fault of the other process:
 * meanwhile the device continues on another thread, without that process and the current request.
 * That thread may call it, too, for a turn that began earlier; its copy must wait for the first.
 * {@code [to, to + bytes)} and {@code [from, from + bytes)} are addresses of this process.
 */
public interface HcaForeignMemory {
  /** Maximum number of pieces that are left for a later call to copy. */
  int MAX_PIECES = 1024;

  /**
   * Copies {@code bytes}, at least 1, from the other process.
   *
   * @param address address of the first byte in the other process
   * @return false when not all of them could be read
   */
  boolean read(long address, long to, int bytes);

  /**
   * Copies {@code bytes}, at least 1, to the other process.
   *
   * @param address address of the first byte in the other process
   * @return false when not all of them could be written; some may have been
   */
  boolean write(long address, long from, int bytes);

  /**
   * True when the other process has ended, is about to, or executes another program, so that its
   * memory is gone. Called after a failed copy to explain the failure; must not wait.
   */
  default boolean hasEnded() {
    return false;
  }

  /**
   * Begins a copy in many pieces, all in one direction: {@link #readPiece} or {@link #writePiece}
   * any number of times, then {@link #finish}. Discards the rest of an earlier copy of this thread.
   * Other threads may make such copies meanwhile.
   */
  default void begin() {}

  /**
   * As {@link #read}, but a later call may read the piece.
   *
   * @return false when this piece, or one before it, could not be read
   */
  default boolean readPiece(long address, long to, int bytes) {
    return read(address, to, bytes);
  }

  /**
   * As {@link #write}, but a later call may write the piece.
   *
   * @return false when this piece, or one before it, could not be written
   */
  default boolean writePiece(long address, long from, int bytes) {
    return write(address, from, bytes);
  }

  /**
   * Copies the remaining pieces.
   *
   * @return false when one of them could not be copied
   */
  default boolean finish() {
    return true;
  }
}
