package dev.bluebell.verbs;

/** The stage of RDMA READ on a stream in which a request says where its data comes to. */
@CheckReturnValue
public interface StreamLanding {

  /** Adds registered memory, as {@link RequestScatter#scatter(long, int, int)}. */
  StreamScatter scatter(long address, int length, int lkey);

  /** Adds a range of a region, as {@link RequestScatter#scatter(MemoryRegion, long, int)}. */
  StreamScatter scatter(MemoryRegion region, long offset, int length);

  /** Says that zero bytes are read, so that they come nowhere. */
  StreamModifiers nowhere();
}
