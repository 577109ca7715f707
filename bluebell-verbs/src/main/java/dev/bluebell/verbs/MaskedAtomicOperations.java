package dev.bluebell.verbs;

/**
 * Atomic operations on masked bits of 4, 8 or 16 bytes of the peer's memory. Memory is in the
 * peer's byte order; the high half of 16 bytes comes first, see {@link Bits128}. The original value
 * is returned in host order for 8 bytes, big-endian for 4 and 16. Mirrors {@code rc_mlx5.inl} of
 * UCX. Each takes the remote address, a multiple of the operand's size, and the key of the peer's
 * region, with {@link Access#REMOTE_ATOMIC}. Operations and sizes that the device does not support
 * fail; see {@link DeviceAttributes#maskedAtomicSizes}.
 *
 * <p>A compare-and-swap of 8 or 16 bytes, and a fetch-and-add of 16 bytes, take two WQEBBs, and so
 * do the operations that are made of them, such as {@code swap8} and {@code fetchAndXor16}: create
 * the queue pair with {@code maxGather(3)} or more.
 *
 * @param <A> the stage that takes the destination of the original value
 */
@CheckReturnValue
public interface MaskedAtomicOperations<A> {

  /**
   * Starts a masked compare-and-swap of 4 bytes: if the memory equals {@code compare} in the bits
   * of {@code compareMask}, the bits of {@code swapMask} are set to those of {@code swap}.
   *
   * @param remoteAddress a multiple of 4, as the peer registered it
   */
  A maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask);

  /**
   * Starts a masked compare-and-swap of 8 bytes, as {@link #maskedCompareAndSwap4(long, int, int,
   * int, int, int)}.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   */
  A maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask);

  /**
   * Starts a masked compare-and-swap of 16 bytes, as {@link #maskedCompareAndSwap4(long, int, int,
   * int, int, int)}.
   *
   * @param remoteAddress a multiple of 16, as the peer registered it
   */
  A maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask);

  /**
   * Starts an addition to 4 bytes that consist of fields; no carry leaves a field.
   *
   * @param remoteAddress a multiple of 4, as the peer registered it
   * @param fieldBoundary each 1 bit marks the highest bit of a field; 0 for a single field
   */
  A maskedFetchAndAdd4(long remoteAddress, int rkey, int add, int fieldBoundary);

  /**
   * Starts an addition to fields of 8 bytes, as {@link #maskedFetchAndAdd4(long, int, int, int)}.
   *
   * @param remoteAddress a multiple of 8, as the peer registered it
   */
  A maskedFetchAndAdd8(long remoteAddress, int rkey, long add, long fieldBoundary);

  /**
   * Starts an addition to fields of 16 bytes, as {@link #maskedFetchAndAdd4(long, int, int, int)}.
   *
   * @param remoteAddress a multiple of 16, as the peer registered it
   */
  A maskedFetchAndAdd16(long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary);

  /** Starts {@code memory &= value} of 4 bytes. */
  default A fetchAndAnd4(long remoteAddress, int rkey, int value) {
    return maskedCompareAndSwap4(remoteAddress, rkey, 0, value, 0, ~value);
  }

  /** Starts {@code memory &= value} of 8 bytes. */
  default A fetchAndAnd8(long remoteAddress, int rkey, long value) {
    return maskedCompareAndSwap8(remoteAddress, rkey, 0, value, 0, ~value);
  }

  /** Starts {@code memory &= value} of 16 bytes. */
  default A fetchAndAnd16(long remoteAddress, int rkey, Bits128 value) {
    return maskedCompareAndSwap16(
        remoteAddress, rkey, Bits128.ZERO, value, Bits128.ZERO, value.not());
  }

  /** Starts {@code memory |= value} of 4 bytes. */
  default A fetchAndOr4(long remoteAddress, int rkey, int value) {
    return maskedCompareAndSwap4(remoteAddress, rkey, 0, value, 0, value);
  }

  /** Starts {@code memory |= value} of 8 bytes. */
  default A fetchAndOr8(long remoteAddress, int rkey, long value) {
    return maskedCompareAndSwap8(remoteAddress, rkey, 0, value, 0, value);
  }

  /** Starts {@code memory |= value} of 16 bytes. */
  default A fetchAndOr16(long remoteAddress, int rkey, Bits128 value) {
    return maskedCompareAndSwap16(remoteAddress, rkey, Bits128.ZERO, value, Bits128.ZERO, value);
  }

  /** Starts {@code memory ^= value} of 4 bytes: an addition in which each bit is a field. */
  default A fetchAndXor4(long remoteAddress, int rkey, int value) {
    return maskedFetchAndAdd4(remoteAddress, rkey, value, -1);
  }

  /** Starts {@code memory ^= value} of 8 bytes: an addition in which each bit is a field. */
  default A fetchAndXor8(long remoteAddress, int rkey, long value) {
    return maskedFetchAndAdd8(remoteAddress, rkey, value, -1);
  }

  /** Starts {@code memory ^= value} of 16 bytes: an addition in which each bit is a field. */
  default A fetchAndXor16(long remoteAddress, int rkey, Bits128 value) {
    return maskedFetchAndAdd16(remoteAddress, rkey, value, Bits128.ALL);
  }

  /** Starts {@code memory = value} of 4 bytes, unconditionally. */
  default A swap4(long remoteAddress, int rkey, int value) {
    return maskedCompareAndSwap4(remoteAddress, rkey, 0, value, 0, -1);
  }

  /** Starts {@code memory = value} of 8 bytes, unconditionally. */
  default A swap8(long remoteAddress, int rkey, long value) {
    return maskedCompareAndSwap8(remoteAddress, rkey, 0, value, 0, -1);
  }

  /** Starts {@code memory = value} of 16 bytes, unconditionally. */
  default A swap16(long remoteAddress, int rkey, Bits128 value) {
    return maskedCompareAndSwap16(
        remoteAddress, rkey, Bits128.ZERO, value, Bits128.ZERO, Bits128.ALL);
  }

  /**
   * Starts a masked compare-and-swap of the first 4 bytes of a peer's memory, as {@link
   * #maskedCompareAndSwap4(long, int, int, int, int, int)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A maskedCompareAndSwap4(
      RemoteMemory remote, int compare, int swap, int compareMask, int swapMask) {
    return maskedCompareAndSwap4(
        remote.addressOf(4, this), remote.rkey(), compare, swap, compareMask, swapMask);
  }

  /**
   * Starts a masked compare-and-swap of the first 8 bytes of a peer's memory, as {@link
   * #maskedCompareAndSwap8(long, int, long, long, long, long)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A maskedCompareAndSwap8(
      RemoteMemory remote, long compare, long swap, long compareMask, long swapMask) {
    return maskedCompareAndSwap8(
        remote.addressOf(8, this), remote.rkey(), compare, swap, compareMask, swapMask);
  }

  /**
   * Starts a masked compare-and-swap of the first 16 bytes of a peer's memory, as {@link
   * #maskedCompareAndSwap16(long, int, Bits128, Bits128, Bits128, Bits128)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A maskedCompareAndSwap16(
      RemoteMemory remote, Bits128 compare, Bits128 swap, Bits128 compareMask, Bits128 swapMask) {
    return maskedCompareAndSwap16(
        remote.addressOf(16, this), remote.rkey(), compare, swap, compareMask, swapMask);
  }

  /**
   * Starts an addition to the first 4 bytes of a peer's memory, as {@link #maskedFetchAndAdd4(long,
   * int, int, int)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A maskedFetchAndAdd4(RemoteMemory remote, int add, int fieldBoundary) {
    return maskedFetchAndAdd4(remote.addressOf(4, this), remote.rkey(), add, fieldBoundary);
  }

  /**
   * Starts an addition to the first 8 bytes of a peer's memory, as {@link #maskedFetchAndAdd8(long,
   * int, long, long)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A maskedFetchAndAdd8(RemoteMemory remote, long add, long fieldBoundary) {
    return maskedFetchAndAdd8(remote.addressOf(8, this), remote.rkey(), add, fieldBoundary);
  }

  /**
   * Starts an addition to the first 16 bytes of a peer's memory, as {@link
   * #maskedFetchAndAdd16(long, int, Bits128, Bits128)}.
   *
   * @throws IndexOutOfBoundsException when the memory is shorter
   */
  default A maskedFetchAndAdd16(RemoteMemory remote, Bits128 add, Bits128 fieldBoundary) {
    return maskedFetchAndAdd16(remote.addressOf(16, this), remote.rkey(), add, fieldBoundary);
  }

  /** As {@link #fetchAndAnd4(long, int, int)}, on the first bytes of a peer's memory. */
  default A fetchAndAnd4(RemoteMemory remote, int value) {
    return fetchAndAnd4(remote.addressOf(4, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndAnd8(long, int, long)}, on the first bytes of a peer's memory. */
  default A fetchAndAnd8(RemoteMemory remote, long value) {
    return fetchAndAnd8(remote.addressOf(8, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndAnd16(long, int, Bits128)}, on the first bytes of a peer's memory. */
  default A fetchAndAnd16(RemoteMemory remote, Bits128 value) {
    return fetchAndAnd16(remote.addressOf(16, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndOr4(long, int, int)}, on the first bytes of a peer's memory. */
  default A fetchAndOr4(RemoteMemory remote, int value) {
    return fetchAndOr4(remote.addressOf(4, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndOr8(long, int, long)}, on the first bytes of a peer's memory. */
  default A fetchAndOr8(RemoteMemory remote, long value) {
    return fetchAndOr8(remote.addressOf(8, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndOr16(long, int, Bits128)}, on the first bytes of a peer's memory. */
  default A fetchAndOr16(RemoteMemory remote, Bits128 value) {
    return fetchAndOr16(remote.addressOf(16, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndXor4(long, int, int)}, on the first bytes of a peer's memory. */
  default A fetchAndXor4(RemoteMemory remote, int value) {
    return fetchAndXor4(remote.addressOf(4, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndXor8(long, int, long)}, on the first bytes of a peer's memory. */
  default A fetchAndXor8(RemoteMemory remote, long value) {
    return fetchAndXor8(remote.addressOf(8, this), remote.rkey(), value);
  }

  /** As {@link #fetchAndXor16(long, int, Bits128)}, on the first bytes of a peer's memory. */
  default A fetchAndXor16(RemoteMemory remote, Bits128 value) {
    return fetchAndXor16(remote.addressOf(16, this), remote.rkey(), value);
  }

  /** As {@link #swap4(long, int, int)}, on the first bytes of a peer's memory. */
  default A swap4(RemoteMemory remote, int value) {
    return swap4(remote.addressOf(4, this), remote.rkey(), value);
  }

  /** As {@link #swap8(long, int, long)}, on the first bytes of a peer's memory. */
  default A swap8(RemoteMemory remote, long value) {
    return swap8(remote.addressOf(8, this), remote.rkey(), value);
  }

  /** As {@link #swap16(long, int, Bits128)}, on the first bytes of a peer's memory. */
  default A swap16(RemoteMemory remote, Bits128 value) {
    return swap16(remote.addressOf(16, this), remote.rkey(), value);
  }
}
