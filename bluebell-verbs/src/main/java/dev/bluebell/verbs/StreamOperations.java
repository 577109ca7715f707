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

  /** As {@link MaskedAtomicOperations#maskedCompareAndSwap4(long, int, int, int, int, int)}. */
  StreamAtomicScatter maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask);

  /** As {@link MaskedAtomicOperations#maskedCompareAndSwap8(long, int, long, long, long, long)}. */
  StreamAtomicScatter maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask);

  /**
   * As {@link MaskedAtomicOperations#maskedCompareAndSwap16(long, int, Bits128, Bits128, Bits128,
   * Bits128)}.
   */
  StreamAtomicScatter maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd4(long, int, int, int)}. */
  StreamAtomicScatter maskedFetchAndAdd4(long remoteAddress, int rkey, int add, int fieldBoundary);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd8(long, int, long, long)}. */
  StreamAtomicScatter maskedFetchAndAdd8(
      long remoteAddress, int rkey, long add, long fieldBoundary);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd16(long, int, Bits128, Bits128)}. */
  StreamAtomicScatter maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary);

  /** Starts an RDMA WRITE, as {@link WriteOperations#write(RemoteMemory)}. */
  StreamData write(RemoteMemory remote);

  /**
   * Starts an RDMA WRITE with 4 bytes, as {@link WriteOperations#writeImmediate(RemoteMemory,
   * int)}.
   */
  StreamData writeImmediate(RemoteMemory remote, int immediate);

  /** Starts an RDMA READ, as {@link ReliableOperations#read(RemoteMemory)}. */
  StreamLanding read(RemoteMemory remote);

  /** As {@link ReliableOperations#compareAndSwap(RemoteMemory, long, long)}. */
  StreamAtomicScatter compareAndSwap(RemoteMemory remote, long compare, long swap);

  /** As {@link ReliableOperations#fetchAndAdd(RemoteMemory, long)}. */
  StreamAtomicScatter fetchAndAdd(RemoteMemory remote, long add);

  /** As {@link MaskedAtomicOperations#maskedCompareAndSwap4(RemoteMemory, int, int, int, int)}. */
  StreamAtomicScatter maskedCompareAndSwap4(
      RemoteMemory remote, int compare, int swap, int compareMask, int swapMask);

  /**
   * As {@link MaskedAtomicOperations#maskedCompareAndSwap8(RemoteMemory, long, long, long, long)}.
   */
  StreamAtomicScatter maskedCompareAndSwap8(
      RemoteMemory remote, long compare, long swap, long compareMask, long swapMask);

  /**
   * As {@link MaskedAtomicOperations#maskedCompareAndSwap16(RemoteMemory, Bits128, Bits128,
   * Bits128, Bits128)}.
   */
  StreamAtomicScatter maskedCompareAndSwap16(
      RemoteMemory remote, Bits128 compare, Bits128 swap, Bits128 compareMask, Bits128 swapMask);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd4(RemoteMemory, int, int)}. */
  StreamAtomicScatter maskedFetchAndAdd4(RemoteMemory remote, int add, int fieldBoundary);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd8(RemoteMemory, long, long)}. */
  StreamAtomicScatter maskedFetchAndAdd8(RemoteMemory remote, long add, long fieldBoundary);

  /** As {@link MaskedAtomicOperations#maskedFetchAndAdd16(RemoteMemory, Bits128, Bits128)}. */
  StreamAtomicScatter maskedFetchAndAdd16(RemoteMemory remote, Bits128 add, Bits128 fieldBoundary);

  /** As {@link MaskedAtomicOperations#fetchAndAnd4(long, int, int)}. */
  StreamAtomicScatter fetchAndAnd4(long remoteAddress, int rkey, int value);

  /** As {@link MaskedAtomicOperations#fetchAndAnd8(long, int, long)}. */
  StreamAtomicScatter fetchAndAnd8(long remoteAddress, int rkey, long value);

  /** As {@link MaskedAtomicOperations#fetchAndAnd16(long, int, Bits128)}. */
  StreamAtomicScatter fetchAndAnd16(long remoteAddress, int rkey, Bits128 value);

  /** As {@link MaskedAtomicOperations#fetchAndOr4(long, int, int)}. */
  StreamAtomicScatter fetchAndOr4(long remoteAddress, int rkey, int value);

  /** As {@link MaskedAtomicOperations#fetchAndOr8(long, int, long)}. */
  StreamAtomicScatter fetchAndOr8(long remoteAddress, int rkey, long value);

  /** As {@link MaskedAtomicOperations#fetchAndOr16(long, int, Bits128)}. */
  StreamAtomicScatter fetchAndOr16(long remoteAddress, int rkey, Bits128 value);

  /** As {@link MaskedAtomicOperations#fetchAndXor4(long, int, int)}. */
  StreamAtomicScatter fetchAndXor4(long remoteAddress, int rkey, int value);

  /** As {@link MaskedAtomicOperations#fetchAndXor8(long, int, long)}. */
  StreamAtomicScatter fetchAndXor8(long remoteAddress, int rkey, long value);

  /** As {@link MaskedAtomicOperations#fetchAndXor16(long, int, Bits128)}. */
  StreamAtomicScatter fetchAndXor16(long remoteAddress, int rkey, Bits128 value);

  /** As {@link MaskedAtomicOperations#swap4(long, int, int)}. */
  StreamAtomicScatter swap4(long remoteAddress, int rkey, int value);

  /** As {@link MaskedAtomicOperations#swap8(long, int, long)}. */
  StreamAtomicScatter swap8(long remoteAddress, int rkey, long value);

  /** As {@link MaskedAtomicOperations#swap16(long, int, Bits128)}. */
  StreamAtomicScatter swap16(long remoteAddress, int rkey, Bits128 value);

  /** As {@link MaskedAtomicOperations#fetchAndAnd4(RemoteMemory, int)}. */
  StreamAtomicScatter fetchAndAnd4(RemoteMemory remote, int value);

  /** As {@link MaskedAtomicOperations#fetchAndAnd8(RemoteMemory, long)}. */
  StreamAtomicScatter fetchAndAnd8(RemoteMemory remote, long value);

  /** As {@link MaskedAtomicOperations#fetchAndAnd16(RemoteMemory, Bits128)}. */
  StreamAtomicScatter fetchAndAnd16(RemoteMemory remote, Bits128 value);

  /** As {@link MaskedAtomicOperations#fetchAndOr4(RemoteMemory, int)}. */
  StreamAtomicScatter fetchAndOr4(RemoteMemory remote, int value);

  /** As {@link MaskedAtomicOperations#fetchAndOr8(RemoteMemory, long)}. */
  StreamAtomicScatter fetchAndOr8(RemoteMemory remote, long value);

  /** As {@link MaskedAtomicOperations#fetchAndOr16(RemoteMemory, Bits128)}. */
  StreamAtomicScatter fetchAndOr16(RemoteMemory remote, Bits128 value);

  /** As {@link MaskedAtomicOperations#fetchAndXor4(RemoteMemory, int)}. */
  StreamAtomicScatter fetchAndXor4(RemoteMemory remote, int value);

  /** As {@link MaskedAtomicOperations#fetchAndXor8(RemoteMemory, long)}. */
  StreamAtomicScatter fetchAndXor8(RemoteMemory remote, long value);

  /** As {@link MaskedAtomicOperations#fetchAndXor16(RemoteMemory, Bits128)}. */
  StreamAtomicScatter fetchAndXor16(RemoteMemory remote, Bits128 value);

  /** As {@link MaskedAtomicOperations#swap4(RemoteMemory, int)}. */
  StreamAtomicScatter swap4(RemoteMemory remote, int value);

  /** As {@link MaskedAtomicOperations#swap8(RemoteMemory, long)}. */
  StreamAtomicScatter swap8(RemoteMemory remote, long value);

  /** As {@link MaskedAtomicOperations#swap16(RemoteMemory, Bits128)}. */
  StreamAtomicScatter swap16(RemoteMemory remote, Bits128 value);
}
