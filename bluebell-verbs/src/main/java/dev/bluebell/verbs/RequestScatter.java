package dev.bluebell.verbs;

/** The stage of RDMA READ that may take more memory; the data fills it in this order. */
@CheckReturnValue
public interface RequestScatter extends RequestModifiers {

  /** Adds registered memory, as {@link RequestLanding#scatter(long, int, int)}. */
  RequestScatter scatter(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link RequestLanding#scatter(MemoryRegion, long, int)}.
   *
   * @throws IndexOutOfBoundsException when the range exceeds the region; the request is dropped
   */
  RequestScatter scatter(MemoryRegion region, long offset, int length);
}
