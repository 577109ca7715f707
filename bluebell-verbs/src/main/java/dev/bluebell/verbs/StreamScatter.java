package dev.bluebell.verbs;

/** The stage of RDMA READ on a stream that may take more memory. */
@CheckReturnValue
public interface StreamScatter extends StreamModifiers {

  /** Adds registered memory, as {@link RequestScatter#scatter(long, int, int)}. */
  StreamScatter scatter(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestScatter#scatter(MemoryRegion, long, int)}. */
  StreamScatter scatter(MemoryRegion region, long offset, int length);
}
