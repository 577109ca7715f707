package dev.bluebell.verbs;

/**
 * The operations of reliable transport, generic in the stages that follow them.
 *
 * @param <D> the stage after operations that send data
 * @param <L> the stage after operations that read data
 * @param <A> the stage after atomics
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
   * Starts an RDMA READ: the peer's memory is copied to the scatter entries, whose total size is
   * the length.
   *
   * @param remoteAddress address to read from, as the peer registered it
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

  /**
   * Starts an RDMA READ from the start of a peer's memory, as {@link #read(long, int)}. Scatter
   * entries that exceed the memory are refused with an {@link IndexOutOfBoundsException}, and the
   * request is dropped.
   */
  default L read(RemoteMemory remote) {
    return remote.limit(read(remote.address(), remote.rkey()));
  }

  /**
   * Starts a compare-and-swap of the first 8 bytes of a peer's memory, as {@link
   * #compareAndSwap(long, int, long, long)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A compareAndSwap(RemoteMemory remote, long compare, long swap) {
    return compareAndSwap(remote.addressOf(8, this), remote.rkey(), compare, swap);
  }

  /**
   * Starts an addition to the first 8 bytes of a peer's memory, as {@link #fetchAndAdd(long, int,
   * long)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A fetchAndAdd(RemoteMemory remote, long add) {
    return fetchAndAdd(remote.addressOf(8, this), remote.rkey(), add);
  }
}
