package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * Memory that a device may access. Thread-safe; the bytes themselves are shared with the device,
 * which makes its writes visible before the completion that reports them.
 */
public interface MemoryRegion extends AutoCloseable {
  /** The memory; empty for a DMA-BUF. */
  MemorySegment segment();

  /**
   * Address of the first byte, as requests use it; 0 for device memory, the offset for a DMA-BUF.
   */
  long address();

  /** Description of this memory for the requests of peers. */
  RemoteMemory remote();

  /** Size in bytes. */
  long length();

  /** Key for gather and scatter entries of the local device. */
  int lkey();

  /** Key for peers. */
  int rkey();

  /**
   * Deregisters the memory, after waiting until the device no longer accesses it. Later requests
   * that use its keys fail. Idempotent.
   */
  @Override
  void close();
}
