package dev.bluebell.verbs;

/** The first stage of a receive request, which takes the memory for a message. */
@CheckReturnValue
public interface ReceiveLanding {

  /**
   * Adds registered memory.
   *
   * @param address address of the first byte, as registered
   * @param length bytes; 0 adds nothing
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  ReceiveRequest scatter(long address, int length, int lkey);

  /**
   * Adds a range of a region, as {@link #scatter(long, int, int)}.
   *
   * @param region a region with {@link Access#LOCAL_WRITE}
   * @param offset offset of the first byte in the region
   * @param length bytes; 0 adds nothing
   * @throws IndexOutOfBoundsException when the range exceeds the region; the request is dropped
   */
  ReceiveRequest scatter(MemoryRegion region, long offset, int length);

  /**
   * Gives the request no memory: for messages of zero bytes, and for RDMA WRITEs with immediate,
   * whose data goes elsewhere.
   */
  ReceiveEnd empty();
}
