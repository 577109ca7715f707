package dev.bluebell.verbs;

/** The stage of RDMA READ that takes the memory for the data. */
@CheckReturnValue
public interface RequestLanding {

  /**
   * Adds registered memory, which the device writes before the request completes.
   *
   * @param address address of the first byte, as registered
   * @param length bytes; 0 adds nothing
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  RequestScatter scatter(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link #scatter(long, int, int)}.
   *
   * @param region a region with {@link Access#LOCAL_WRITE}
   * @param offset offset of the first byte in the region
   * @param length bytes; 0 adds nothing
   * @throws IndexOutOfBoundsException when the range exceeds the region; the request is dropped
   */
  RequestScatter scatter(MemoryRegion region, long offset, int length);

  /** Reads zero bytes, which need no memory. */
  RequestModifiers nowhere();
}
