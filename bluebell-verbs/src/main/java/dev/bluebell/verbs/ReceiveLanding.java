package dev.bluebell.verbs;

/** The first stage of a receive request, in which it says where a message comes to. */
@CheckReturnValue
public interface ReceiveLanding {

  /**
   * Adds registered memory.
   *
   * @param address address of the first byte, as registered
   * @param length bytes, from 0 (which adds nothing)
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  ReceiveRequest scatter(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link #scatter(long, int, int)}.
   *
   * @param region with {@link Access#LOCAL_WRITE}
   * @param offset of the first byte in the region
   * @param length bytes, from 0 (which adds nothing)
   * @throws IndexOutOfBoundsException when the range is not all in the region; the request is
   *     dropped
   */
  ReceiveRequest scatter(MemoryRegion region, long offset, int length);

  /**
   * Says that the request has no memory: for messages of zero bytes, and for RDMA WRITEs with
   * immediate, whose data goes elsewhere.
   */
  ReceiveEnd empty();
}
