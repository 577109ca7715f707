package dev.bluebell.verbs;

/**
 * The operations of reliable transport, by the stages that follow them.
 *
 * @param <D> the stage behind what sends data
 * @param <L> the stage behind what reads it
 * @param <A> the stage behind an atomic
 */
@CheckReturnValue
public interface Operations<D, L, A> extends WritingOperations<D>, MaskedAtomicOperations<A> {

  /**
   * Starts a SEND that invalidates a key of the peer.
   *
   * @param rkey the key of a region with {@link Access#REMOTE_INVALIDATE}
   */
  D sendInvalidate(int rkey);

  /**
   * Starts an RDMA READ: the peer's memory comes to the scatter entries; their total is the length.
   *
   * @param remoteAddress where from, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_READ}
   */
  L read(long remoteAddress, int rkey);

  /**
   * Starts an atomic compare-and-swap of 8 bytes in the peer's byte order: they become {@code swap}
   * if they equal {@code compare}.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_ATOMIC}
   */
  A compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

  /**
   * Starts an atomic addition to 8 bytes in the peer's byte order, modulo 2^64.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_ATOMIC}
   */
  A fetchAndAdd(long remoteAddress, int rkey, long add);

  /** Starts an RDMA READ from the start of a peer's memory, as {@link #read(long, int)}. */
  default L read(RemoteMemory remote) {
    return read(remote.address(), remote.rkey());
  }

  /**
   * Starts a compare-and-swap of the first 8 bytes of a peer's memory, as {@link
   * #compareAndSwap(long, int, long, long)}.
   *
   * @throws IndexOutOfBoundsException when there are fewer
   */
  default A compareAndSwap(RemoteMemory remote, long compare, long swap) {
    return compareAndSwap(remote.addressOf(8, this), remote.rkey(), compare, swap);
  }

  /**
   * Starts an addition to the first 8 bytes of a peer's memory, as {@link #fetchAndAdd(long, int,
   * long)}.
   *
   * @throws IndexOutOfBoundsException when there are fewer
   */
  default A fetchAndAdd(RemoteMemory remote, long add) {
    return fetchAndAdd(remote.addressOf(8, this), remote.rkey(), add);
  }
}
