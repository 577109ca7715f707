package dev.bluebell.verbs;

/** The stage of an atomic operation that takes the destination of the original value. */
@CheckReturnValue
public interface AtomicScatter {

  /**
   * Names the bytes that receive the original value: as many as the operand has, 8 unless the
   * operation specifies another size. Values of 8 bytes are in the host's byte order, those of 4
   * and 16 bytes are big-endian.
   *
   * @param address address of the first byte, as registered
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  RequestModifiers scatter(long address, int lkey);

  /**
   * Names the bytes that receive the original value, as {@link #scatter(long, int)}.
   *
   * @param region a region with {@link Access#LOCAL_WRITE}
   * @param offset offset of the first byte in the region
   * @throws IndexOutOfBoundsException when the bytes exceed the region; the request is dropped
   */
  RequestModifiers scatter(MemoryRegion region, long offset);
}
