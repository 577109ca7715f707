package dev.bluebell.verbs;

/** The stage of RDMA READ in which the memory for the data is named, to be filled in this order. */
@CheckReturnValue
public interface RequestScatter extends RequestModifiers {

  /**
   * Adds registered memory, which the device writes before the request completes.
   *
   * @param address address of the first byte, as registered
   * @param length bytes, from 0 (which adds nothing)
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  RequestScatter scatter(long address, int length, int lkey);
}
