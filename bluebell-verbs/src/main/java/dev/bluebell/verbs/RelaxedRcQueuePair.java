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
public final class RelaxedRcQueuePair extends ConnectedReceivingQueuePair
    implements MaskedAtomicOperations<RelaxedAtomic> {

  /** Makes the queue pair of its parts and moves it to INIT. */
  RelaxedRcQueuePair(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
    start();
  }

  /** Starts a fenced request that does nothing but complete: for all requests before it. */
  @Override
  @CheckReturnValue
  public RequestModifiers nop() {
    return super.nop().fence();
  }

  /** Starts a SEND, as {@link MessageOperations#send}. */
  @CheckReturnValue
  public RelaxedData send() {
    return (RelaxedData) send.send();
  }

  /** Starts a SEND with immediate, as {@link MessageOperations#sendImmediate}. */
  @CheckReturnValue
  public RelaxedData sendImmediate(int immediate) {
    return (RelaxedData) send.sendImmediate(immediate);
  }

  /** Starts a SEND that invalidates a key, as {@link ReliableOperations#sendInvalidate}. */
  @CheckReturnValue
  public RelaxedData sendInvalidate(int rkey) {
    return (RelaxedData) send.sendInvalidate(rkey);
  }

  /** Starts an RDMA WRITE, as {@link WriteOperations#write(long, int)}. */
  @CheckReturnValue
  public RelaxedData write(long remoteAddress, int rkey) {
    return (RelaxedData) send.write(remoteAddress, rkey);
  }

  /** Starts an RDMA WRITE, as {@link WriteOperations#write(RemoteMemory)}. */
  @CheckReturnValue
  public RelaxedData write(RemoteMemory remote) {
    return write(remote.address(), remote.rkey());
  }

  /**
   * Starts an RDMA WRITE with immediate, as {@link WriteOperations#writeImmediate(long, int, int)}.
   */
  @CheckReturnValue
  public RelaxedData writeImmediate(long remoteAddress, int rkey, int immediate) {
    return (RelaxedData) send.writeImmediate(remoteAddress, rkey, immediate);
  }

  /**
   * Starts an RDMA WRITE with immediate, as {@link WriteOperations#writeImmediate(RemoteMemory,
   * int)}.
   */
  @CheckReturnValue
  public RelaxedData writeImmediate(RemoteMemory remote, int immediate) {
    return writeImmediate(remote.address(), remote.rkey(), immediate);
  }

  /** Starts an RDMA READ, as {@link ReliableOperations#read(long, int)}. */
  @CheckReturnValue
  public RelaxedLanding read(long remoteAddress, int rkey) {
    return (RelaxedLanding) send.read(remoteAddress, rkey);
  }

  /** Starts an RDMA READ, as {@link ReliableOperations#read(RemoteMemory)}. */
  @CheckReturnValue
  public RelaxedLanding read(RemoteMemory remote) {
    return read(remote.address(), remote.rkey());
  }

  /**
   * Starts a compare-and-swap, as {@link ReliableOperations#compareAndSwap(long, int, long, long)}.
   */
  @CheckReturnValue
  public RelaxedAtomic compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return (RelaxedAtomic) send.compareAndSwap(remoteAddress, rkey, compare, swap);
  }

  /**
   * Starts a compare-and-swap, as {@link ReliableOperations#compareAndSwap(RemoteMemory, long,
   * long)}.
   */
  @CheckReturnValue
  public RelaxedAtomic compareAndSwap(RemoteMemory remote, long compare, long swap) {
    return compareAndSwap(remote.addressOf(Long.BYTES), remote.rkey(), compare, swap);
  }

  /** Starts a fetch-and-add, as {@link ReliableOperations#fetchAndAdd(long, int, long)}. */
  @CheckReturnValue
  public RelaxedAtomic fetchAndAdd(long remoteAddress, int rkey, long add) {
    return (RelaxedAtomic) send.fetchAndAdd(remoteAddress, rkey, add);
  }

  /** Starts a fetch-and-add, as {@link ReliableOperations#fetchAndAdd(RemoteMemory, long)}. */
  @CheckReturnValue
  public RelaxedAtomic fetchAndAdd(RemoteMemory remote, long add) {
    return fetchAndAdd(remote.addressOf(Long.BYTES), remote.rkey(), add);
  }

  @Override
  @CheckReturnValue
  public RelaxedAtomic maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask) {
    return (RelaxedAtomic)
        send.maskedCompareAndSwap4(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  @CheckReturnValue
  public RelaxedAtomic maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask) {
    return (RelaxedAtomic)
        send.maskedCompareAndSwap8(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  @CheckReturnValue
  public RelaxedAtomic maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask) {
    return (RelaxedAtomic)
        send.maskedCompareAndSwap16(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  @CheckReturnValue
  public RelaxedAtomic maskedFetchAndAdd4(
      long remoteAddress, int rkey, int add, int fieldBoundary) {
    return (RelaxedAtomic) send.maskedFetchAndAdd4(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  @CheckReturnValue
  public RelaxedAtomic maskedFetchAndAdd8(
      long remoteAddress, int rkey, long add, long fieldBoundary) {
    return (RelaxedAtomic) send.maskedFetchAndAdd8(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  @CheckReturnValue
  public RelaxedAtomic maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary) {
    return (RelaxedAtomic) send.maskedFetchAndAdd16(remoteAddress, rkey, add, fieldBoundary);
  }
}
