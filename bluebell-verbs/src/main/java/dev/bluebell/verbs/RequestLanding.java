package dev.bluebell.verbs;

/** The stage of RDMA READ in which a request says where its data comes to. */
@CheckReturnValue
public interface RequestLanding {

  /**
   * Adds registered memory, which the device writes before the request completes.
   *
   * @param address address of the first byte, as registered
   * @param length bytes, from 0 (which adds nothing)
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  RequestScatter scatter(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link #scatter(long, int, int)}.
   *
   * @param region with {@link Access#LOCAL_WRITE}
   * @param offset of the first byte in the region
   * @param length bytes, from 0 (which adds nothing)
   * @throws IndexOutOfBoundsException when the range is not all in the region; the request is
   *     dropped
   */
  RequestScatter scatter(MemoryRegion region, long offset, int length);

  /** Says that zero bytes are read, so that they come nowhere. */
  RequestModifiers nowhere();
}
