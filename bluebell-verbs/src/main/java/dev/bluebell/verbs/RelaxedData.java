package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/** The stage of SEND and RDMA WRITE that takes the data, as {@link RequestData}. */
@CheckReturnValue
public interface RelaxedData extends RelaxedModifiers {

  /** Adds registered memory, as {@link RequestData#gather(long, int, int)}. */
  RelaxedData gather(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestData#gather(MemoryRegion, long, int)}. */
  RelaxedData gather(MemoryRegion region, long offset, int length);

  /** Copies bytes into the request, as {@link RequestData#inline(MemorySegment, long, int)}. */
  RelaxedData inline(MemorySegment source, long offset, int length);

  /** Copies bytes of an array into the request. */
  RelaxedData inline(byte[] source, int offset, int length);
}
