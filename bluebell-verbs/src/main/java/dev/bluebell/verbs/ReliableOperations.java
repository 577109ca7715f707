package dev.bluebell.verbs;

/** The operations of the reliable services: those of a connection, and those that need answers. */
@CheckReturnValue
public interface ReliableOperations extends WriteOperations, MaskedAtomicOperations<AtomicScatter> {

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
  RequestLanding read(long remoteAddress, int rkey);

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

  /** Starts an RDMA READ from the start of a peer's memory, as {@link #read(long, int)}. */
  default RequestLanding read(RemoteMemory remote) {
    return read(remote.address(), remote.rkey());
  }

  /**
   * Starts a compare-and-swap of the first 8 bytes of a peer's memory, as {@link
   * #compareAndSwap(long, int, long, long)}.
   *
   * @throws IndexOutOfBoundsException when there are fewer
   */
  default AtomicScatter compareAndSwap(RemoteMemory remote, long compare, long swap) {
    return compareAndSwap(remote.addressOf(Long.BYTES), remote.rkey(), compare, swap);
  }

  /**
   * Starts an addition to the first 8 bytes of a peer's memory, as {@link #fetchAndAdd(long, int,
   * long)}.
   *
   * @throws IndexOutOfBoundsException when there are fewer
   */
  default AtomicScatter fetchAndAdd(RemoteMemory remote, long add) {
    return fetchAndAdd(remote.addressOf(Long.BYTES), remote.rkey(), add);
  }
}
