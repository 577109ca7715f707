package dev.bluebell.verbs;

/**
 * The stage of RDMA READ in which a request says where its data comes to, as {@link
 * RequestLanding}.
 */
@CheckReturnValue
public interface RelaxedLanding {

  /** Adds registered memory, as {@link RequestLanding#scatter(long, int, int)}. */
  RelaxedScatter scatter(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestLanding#scatter(MemoryRegion, long, int)}. */
  RelaxedScatter scatter(MemoryRegion region, long offset, int length);

  /** Says that zero bytes are read, so that they come nowhere. */
  RelaxedModifiers nowhere();
}
