package dev.bluebell.verbs;

/** The operations of the reliable services: those of a connection, and those that need answers. */
@CheckReturnValue
public interface ReliableOperations extends WriteOperations {

  /**
   * Starts a SEND that invalidates a key of the peer.
   *
   * @param rkey the key of a region with {@link Access#REMOTE_INVALIDATE}
   */
  RequestData sendInvalidate(int rkey);

  /**
   * Starts an RDMA READ: the peer's memory comes to the scatter entries; their total is the length.
   *
   * @param remoteAddress where from, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_READ}
   */
  RequestScatter read(long remoteAddress, int rkey);

  /**
   * Starts an atomic compare-and-swap of 8 bytes in the peer's byte order: they become {@code swap}
   * if they equal {@code compare}.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_ATOMIC}
   */
  AtomicScatter compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

  /**
   * Starts an atomic addition to 8 bytes in the peer's byte order, modulo 2^64.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_ATOMIC}
   */
  AtomicScatter fetchAndAdd(long remoteAddress, int rkey, long add);
}
