package dev.bluebell.verbs;

/**
 * A reliable-connection queue pair for memory with relaxed ordering, where the data of requests may
 * become visible in another order than that of the requests. Requests of it report success, and
 * give ring space back, only when they are signalled <em>and fenced</em>: {@link
 * RelaxedModifiers#fence} comes before {@link RequestEnd#signaled}, or the program does not
 * compile. A completion then tells of all requests before it.
 *
 * <p>This is a conservative contract of the driver. Devices complete requests in order, ordering is
 * a property of memory keys, and a queue pair on the wire is the same as an {@link RcQueuePair};
 * but a completion that is not fenced would tell less there than a program is used to read from it.
 *
 * <p>Threads: as {@link RcQueuePair}.
 */
public interface RelaxedRcQueuePair
    extends ConnectedReceivingQueuePair, MaskedAtomicOperations<RelaxedAtomic> {
  /** Starts a SEND, as {@link MessageOperations#send}. */
  @CheckReturnValue
  RelaxedData send();

  /** Starts a SEND with immediate, as {@link MessageOperations#sendImmediate}. */
  @CheckReturnValue
  RelaxedData sendImmediate(int immediate);

  /** Starts a SEND that invalidates a key, as {@link ReliableOperations#sendInvalidate}. */
  @CheckReturnValue
  RelaxedData sendInvalidate(int rkey);

  /** Starts an RDMA WRITE, as {@link WriteOperations#write(long, int)}. */
  @CheckReturnValue
  RelaxedData write(long remoteAddress, int rkey);

  /** Starts an RDMA WRITE, as {@link WriteOperations#write(RemoteMemory)}. */
  @CheckReturnValue
  RelaxedData write(RemoteMemory remote);

  /**
   * Starts an RDMA WRITE with immediate, as {@link WriteOperations#writeImmediate(long, int, int)}.
   */
  @CheckReturnValue
  RelaxedData writeImmediate(long remoteAddress, int rkey, int immediate);

  /**
   * Starts an RDMA WRITE with immediate, as {@link WriteOperations#writeImmediate(RemoteMemory,
   * int)}.
   */
  @CheckReturnValue
  RelaxedData writeImmediate(RemoteMemory remote, int immediate);

  /** Starts an RDMA READ, as {@link ReliableOperations#read(long, int)}. */
  @CheckReturnValue
  RelaxedLanding read(long remoteAddress, int rkey);

  /** Starts an RDMA READ, as {@link ReliableOperations#read(RemoteMemory)}. */
  @CheckReturnValue
  RelaxedLanding read(RemoteMemory remote);

  /**
   * Starts a compare-and-swap, as {@link ReliableOperations#compareAndSwap(long, int, long, long)}.
   */
  @CheckReturnValue
  RelaxedAtomic compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

  /**
   * Starts a compare-and-swap, as {@link ReliableOperations#compareAndSwap(RemoteMemory, long,
   * long)}.
   */
  @CheckReturnValue
  RelaxedAtomic compareAndSwap(RemoteMemory remote, long compare, long swap);

  /** Starts a fetch-and-add, as {@link ReliableOperations#fetchAndAdd(long, int, long)}. */
  @CheckReturnValue
  RelaxedAtomic fetchAndAdd(long remoteAddress, int rkey, long add);

  /** Starts a fetch-and-add, as {@link ReliableOperations#fetchAndAdd(RemoteMemory, long)}. */
  @CheckReturnValue
  RelaxedAtomic fetchAndAdd(RemoteMemory remote, long add);
}
