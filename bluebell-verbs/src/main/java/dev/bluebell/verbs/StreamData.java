package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/** The stage of SEND and RDMA WRITE on a stream that takes the data, as {@link RequestData}. */
@CheckReturnValue
public interface StreamData extends StreamModifiers {

  /** Adds registered memory, as {@link RequestData#gather(long, int, int)}. */
  StreamData gather(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestData#gather(MemoryRegion, long, int)}. */
  StreamData gather(MemoryRegion region, long offset, int length);

  /** Copies bytes into the request, as {@link RequestData#inline(MemorySegment, long, int)}. */
  StreamData inline(MemorySegment source, long offset, int length);

  /** Copies bytes of an array into the request. */
  StreamData inline(byte[] source, int offset, int length);
}
