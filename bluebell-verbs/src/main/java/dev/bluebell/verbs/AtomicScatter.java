package dev.bluebell.verbs;

/** The stage of an atomic operation in which the place for the original value is named. */
@CheckReturnValue
public interface AtomicScatter {

  /**
   * Names the 8 bytes that receive the value from before the operation, in the host's byte order.
   *
   * @param address address of the 8 bytes, as registered
   * @param lkey {@link MemoryRegion#lkey()} of a region with {@link Access#LOCAL_WRITE}
   */
  RequestModifiers scatter(long address, int lkey);
}
