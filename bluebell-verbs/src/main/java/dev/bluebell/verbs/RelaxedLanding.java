package dev.bluebell.verbs;

/** The stage of RDMA READ that takes the memory for the data, as {@link RequestLanding}. */
@CheckReturnValue
public interface RelaxedLanding {

  /** Adds registered memory, as {@link RequestLanding#scatter(long, int, int)}. */
  RelaxedScatter scatter(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestLanding#scatter(MemoryRegion, long, int)}. */
  RelaxedScatter scatter(MemoryRegion region, long offset, int length);

  /** Reads zero bytes, which need no memory. */
  RelaxedModifiers nowhere();
}
