package dev.bluebell.hca;

/**
 * Memory of another process that a device moves payload to and from, without having it mapped.
 *
 * <p>Called by a thread that runs the device, one at a time, any number of times between
 * registration and the end of the key, never afterwards. A call may last, as a page fault of the
 * other process does: the device then goes on without that process and the request at hand. {@code
 * [to, to + bytes)} and {@code [from, from + bytes)} are addresses of this process.
 */
public interface HcaForeignMemory {
  /** Pieces at most that are left to be copied by a later call. */
  int MAX_PIECES = 1024;

  /**
   * Copies {@code bytes}, at least 1, from the other process.
   *
   * @param address of the first byte in the other process
   * @return false when not all of them could be read
   */
  boolean read(long address, long to, int bytes);

  /**
   * Copies {@code bytes}, at least 1, to the other process.
   *
   * @param address of the first byte in the other process
   * @return false when not all of them could be written; some may have been
   */
  boolean write(long address, long from, int bytes);

  /**
   * Begins a copy in many pieces, all in one direction: {@link #readPiece} or {@link #writePiece}
   * any number of times, then {@link #finish}. Forgets what is left of one before.
   */
  default void begin() {}

  /**
   * As {@link #read}, of a piece that may also be read by a later call.
   *
   * @return false when this piece, or one before it, could not be read
   */
  default boolean readPiece(long address, long to, int bytes) {
    return read(address, to, bytes);
  }

  /**
   * As {@link #write}, of a piece that may also be written by a later call.
   *
   * @return false when this piece, or one before it, could not be written
   */
  default boolean writePiece(long address, long from, int bytes) {
    return write(address, from, bytes);
  }

  /**
   * Copies the pieces that are left.
   *
   * @return false when one of them could not be copied
   */
  default boolean finish() {
    return true;
  }
}
