package dev.bluebell.verbs;

/** The stage of RDMA READ on a stream that takes the memory for the data. */
@CheckReturnValue
public interface StreamLanding {

  /** Adds registered memory, as {@link RequestScatter#scatter(long, int, int)}. */
  StreamScatter scatter(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestScatter#scatter(MemoryRegion, long, int)}. */
  StreamScatter scatter(MemoryRegion region, long offset, int length);

  /** Reads zero bytes, which need no memory. */
  StreamModifiers nowhere();
}
