package dev.bluebell.verbs;

/** The stage of RDMA READ that may take more memory for the data, as {@link RequestScatter}. */
@CheckReturnValue
public interface RelaxedScatter extends RelaxedModifiers {

  /** Adds registered memory, as {@link RequestScatter#scatter(long, int, int)}. */
  RelaxedScatter scatter(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestScatter#scatter(MemoryRegion, long, int)}. */
  RelaxedScatter scatter(MemoryRegion region, long offset, int length);
}
