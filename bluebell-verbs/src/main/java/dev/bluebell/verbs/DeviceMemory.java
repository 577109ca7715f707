package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * Memory of the device itself (MEMIC), which peers access without using the host's memory. Mirrors
 * {@code verbs.h: ibv_alloc_dm}. {@link ProtectionDomain#register(DeviceMemory, Access...)} makes
 * it a region, whose bytes requests address from 0.
 *
 * <p>Allocating and closing are thread-safe; the bytes are shared with the device.
 */
public interface DeviceMemory extends AutoCloseable {
  /** Size in bytes. */
  long length();

  /**
   * Copies bytes into the device.
   *
   * @param offset offset of the first byte in this memory
   * @throws IndexOutOfBoundsException when a range exceeds its memory
   */
  void copyFrom(MemorySegment source, long from, long offset, long bytes);

  /**
   * Copies bytes out of the device.
   *
   * @param offset offset of the first byte in this memory
   * @throws IndexOutOfBoundsException when a range exceeds its memory
   */
  void copyTo(long offset, MemorySegment target, long to, long bytes);

  /**
   * Frees the memory. Idempotent.
   *
   * @throws IllegalStateException when memory regions of it still exist
   */
  @Override
  void close();
}
