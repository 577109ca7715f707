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
}
