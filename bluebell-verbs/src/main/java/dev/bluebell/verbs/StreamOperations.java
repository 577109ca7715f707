package dev.bluebell.verbs;

/**
 * The operations on a stream of a DC initiator. They are those of {@link ReliableOperations}, but
 * every request is signalled: requests of other streams complete in between, so that a completion
 * tells of its own request alone.
 */
@CheckReturnValue
public interface StreamOperations {

  /** Starts a SEND, as {@link MessageOperations#send}. */
  StreamData send();

  /** Starts a SEND with 4 bytes, as {@link MessageOperations#sendImmediate}. */
  StreamData sendImmediate(int immediate);

  /** Starts a SEND that invalidates a key, as {@link ReliableOperations#sendInvalidate}. */
  StreamData sendInvalidate(int rkey);

  /** Starts an RDMA WRITE, as {@link WriteOperations#write(long, int)}. */
  StreamData write(long remoteAddress, int rkey);

  /**
   * Starts an RDMA WRITE with 4 bytes, as {@link WriteOperations#writeImmediate(long, int, int)}.
   */
  StreamData writeImmediate(long remoteAddress, int rkey, int immediate);

  /** Starts an RDMA READ, as {@link ReliableOperations#read(long, int)}. */
  StreamLanding read(long remoteAddress, int rkey);

  /**
   * Starts a compare-and-swap of 8 bytes, as {@link ReliableOperations#compareAndSwap(long, int,
   * long, long)}.
   */
  StreamAtomicScatter compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

  /** Starts an addition to 8 bytes, as {@link ReliableOperations#fetchAndAdd(long, int, long)}. */
  StreamAtomicScatter fetchAndAdd(long remoteAddress, int rkey, long add);

  /** As {@link MaskedAtomicOperations#maskedCompareAndSwap4}. */
  StreamAtomicScatter maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask);

  /** As {@link MaskedAtomicOperations#maskedCompareAndSwap8}. */
  StreamAtomicScatter maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask);

  /** As {@link MaskedAtomicOperations#maskedCompareAndSwap16}. */
  StreamAtomicScatter maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd4}. */
  StreamAtomicScatter maskedFetchAndAdd4(long remoteAddress, int rkey, int add, int fieldBoundary);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd8}. */
  StreamAtomicScatter maskedFetchAndAdd8(
      long remoteAddress, int rkey, long add, long fieldBoundary);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd16}. */
  StreamAtomicScatter maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary);
}
