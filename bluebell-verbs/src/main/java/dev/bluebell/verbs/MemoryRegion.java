package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * Memory that a device may access. Thread-safe; the bytes themselves are shared with the device,
 * which orders its writes before the completion that tells of them.
 */
public interface MemoryRegion extends AutoCloseable {
  /** The memory. */
  MemorySegment segment();

  /** Address of the first byte, by which requests name it; 0 for memory of the device. */
  long address();

  /** What a peer needs to name this memory in its requests. */
  RemoteMemory remote();

  /** Size in bytes. */
  long length();

  /** Key for gather and scatter entries of the local device. */
  int lkey();

  /** Key for peers. */
  int rkey();

  /**
   * Ends the registration; waits until the device no longer touches the memory. Later requests that
   * name its keys fail. Idempotent.
   */
  @Override
  void close();
}
