package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * The stage of SEND and RDMA WRITE that takes the data. The message is all data in this order;
 * without data it has zero bytes.
 */
@CheckReturnValue
public interface RequestData extends RequestModifiers {

  /**
   * Adds registered memory. The device reads it at any time before the request completes.
   *
   * @param address address of the first byte, as registered
   * @param length bytes; 0 adds nothing
   * @param lkey {@link MemoryRegion#lkey()} of the region that holds the range
   */
  RequestData gather(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link #gather(long, int, int)}.
   *
   * @param offset offset of the first byte in the region
   * @param length bytes; 0 adds nothing
   * @throws IndexOutOfBoundsException when the range exceeds the region; the request is dropped
   */
  RequestData gather(MemoryRegion region, long offset, int length);

  /**
   * Copies bytes into the request: the source may be reused at once and need not be registered.
   *
   * @param source heap or native memory
   * @param offset offset of the first byte in {@code source}
   * @param length bytes; 0 adds nothing
   */
  RequestData inline(MemorySegment source, long offset, int length);

  /** Copies bytes of an array into the request, as {@link #inline(MemorySegment, long, int)}. */
  RequestData inline(byte[] source, int offset, int length);
}
