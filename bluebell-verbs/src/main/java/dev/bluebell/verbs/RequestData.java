package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * The stage of SEND and RDMA WRITE in which data is added: the message is all of it in this order.
 * No data makes a message of zero bytes.
 */
@CheckReturnValue
public interface RequestData extends RequestModifiers {

  /**
   * Adds registered memory. The device reads it at some time before the request completes.
   *
   * @param address address of the first byte, as registered
   * @param length bytes, from 0 (which adds nothing)
   * @param lkey {@link MemoryRegion#lkey()} of the region that holds the range
   */
  RequestData gather(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link #gather(long, int, int)}.
   *
   * @param offset of the first byte in the region
   * @param length bytes, from 0 (which adds nothing)
   * @throws IndexOutOfBoundsException when the range is not all in the region; the request is
   *     dropped
   */
  RequestData gather(MemoryRegion region, long offset, int length);

  /**
   * Adds a copy of bytes, which then travel inside the request: the source may be reused at once
   * and need not be registered.
   *
   * @param source heap or native memory
   * @param offset of the first byte in {@code source}
   * @param length bytes, from 0 (which adds nothing)
   */
  RequestData inline(MemorySegment source, long offset, int length);

  /** Adds a copy of bytes of an array, as {@link #inline(MemorySegment, long, int)}. */
  RequestData inline(byte[] source, int offset, int length);
}
