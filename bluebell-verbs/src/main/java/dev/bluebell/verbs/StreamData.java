package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/** The stage of SEND and RDMA WRITE on a stream in which data is added, as {@link RequestData}. */
@CheckReturnValue
public interface StreamData extends StreamModifiers {

  /** Adds registered memory, as {@link RequestData#gather(long, int, int)}. */
  StreamData gather(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestData#gather(MemoryRegion, long, int)}. */
  StreamData gather(MemoryRegion region, long offset, int length);

  /** Adds a copy of bytes, as {@link RequestData#inline(MemorySegment, long, int)}. */
  StreamData inline(MemorySegment source, long offset, int length);

  /** Adds a copy of bytes of an array. */
  StreamData inline(byte[] source, int offset, int length);
}
