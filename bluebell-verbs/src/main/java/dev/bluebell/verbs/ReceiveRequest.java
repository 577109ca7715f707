package dev.bluebell.verbs;

/**
 * A receive request being built: the memory for one incoming message, to be filled in this order.
 */
@CheckReturnValue
public interface ReceiveRequest {

  /**
   * Adds registered memory.
   *
   * @param address address of the first byte, as registered
   * @param length bytes, from 0 (which adds nothing)
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  ReceiveRequest scatter(long address, int length, int lkey);

  /**
   * Ends the request. The device sees it after the receive doorbell.
   *
   * @param id given back as {@link Completion#id()}
   */
  void post(long id);
}
