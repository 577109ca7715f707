package dev.bluebell.hca.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Access to raw addresses, in the byte order of the hardware: every multi-byte value in queues,
 * completions and doorbells is big-endian.
 *
 * <p>This is one of the few places that reach memory without a bounds check, so the package is
 * exported to Bluebell's own modules only. Invariant of every caller: the range {@code [address,
 * address + width)} lies inside memory that the caller keeps alive (a queue's own ring, a
 * registered umem, or the range that a memory key translates to).
 *
 * <p>Plain accesses need no alignment. Acquire, release and read-modify-write accesses need an
 * address that is a multiple of their width; otherwise they throw {@link IllegalArgumentException}.
 * All methods may be called by any thread.
 */
public final class Memory {
  // One static final segment and static final handles: the JIT folds both; a handle in an instance
  // field costs ten times as much.
  private static final MemorySegment WHOLE = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final VarHandle ALIGNED_LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
  private static final VarHandle ALIGNED_INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
  private static final VarHandle NATIVE_LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final ValueLayout.OfLong NATIVE_LONG_UNALIGNED = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final VarHandle NATIVE_INT = ValueLayout.JAVA_INT.varHandle();
  private static final ValueLayout.OfInt NATIVE_INT_UNALIGNED = ValueLayout.JAVA_INT_UNALIGNED;

  /**
   * The bits that an address of user space can have. Masking an address with them does not change
   * it, but the JIT then knows that it is not negative, and drops the bounds checks of accesses
   * there.
   */
  public static final long ADDRESS_BITS = (1L << 56) - 1;

  private Memory() {}

  /** Reads 8 bytes, big-endian. */
  public static long getLong(long address) {
    return WHOLE.get(LONG, address);
  }

  /** Writes 8 bytes, big-endian. */
  public static void putLong(long address, long value) {
    WHOLE.set(LONG, address, value);
  }

  /**
   * Writes the first {@code count} words, 8 bytes each, big-endian, in ascending order. One access
   * in a loop, because the JIT stops inlining in a method with some thirty accesses.
   */
  public static void putLongs(long address, long[] words, int count) {
    for (int i = 0; i < count; i++) {
      WHOLE.set(LONG, address + 8L * i, words[i]);
    }
  }

  /** Reads 4 bytes, big-endian. */
  public static int getInt(long address) {
    return WHOLE.get(INT, address);
  }

  /** Writes 4 bytes, big-endian. */
  public static void putInt(long address, int value) {
    WHOLE.set(INT, address, value);
  }

  /** Reads 2 bytes, big-endian. */
  public static short getShort(long address) {
    return WHOLE.get(SHORT, address);
  }

  /** Reads one byte. */
  public static byte getByte(long address) {
    return WHOLE.get(ValueLayout.JAVA_BYTE, address);
  }

  /** Writes one byte. */
  public static void putByte(long address, byte value) {
    WHOLE.set(ValueLayout.JAVA_BYTE, address, value);
  }

  /** Reads 8 aligned bytes, big-endian; later accesses are not moved before it. */
  public static long getLongAcquire(long address) {
    return (long) ALIGNED_LONG.getAcquire(WHOLE, address);
  }

  /** Writes 8 aligned bytes, big-endian; earlier accesses are not moved behind it. */
  public static void putLongRelease(long address, long value) {
    ALIGNED_LONG.setRelease(WHOLE, address, value);
  }

  /** Reads 4 aligned bytes, big-endian; later accesses are not moved before it. */
  public static int getIntAcquire(long address) {
    return (int) ALIGNED_INT.getAcquire(WHOLE, address);
  }

  /** Writes 4 aligned bytes, big-endian; earlier accesses are not moved behind it. */
  public static void putIntRelease(long address, int value) {
    ALIGNED_INT.setRelease(WHOLE, address, value);
  }

  /** Reads 8 bytes in the host's byte order, as for the result of an atomic operation. */
  public static long getNativeLong(long address) {
    return WHOLE.get(NATIVE_LONG_UNALIGNED, address);
  }

  /** Writes 8 bytes in the host's byte order. */
  public static void putNativeLong(long address, long value) {
    WHOLE.set(NATIVE_LONG_UNALIGNED, address, value);
  }

  /**
   * Atomically replaces 8 aligned bytes, host byte order, if they equal {@code expected}; returns
   * the previous value.
   */
  public static long compareAndExchangeNativeLong(long address, long expected, long value) {
    return (long) NATIVE_LONG.compareAndExchange(WHOLE, address, expected, value);
  }

  /**
   * Atomically adds to 8 aligned bytes, host byte order, modulo 2^64; returns the previous value.
   */
  public static long getAndAddNativeLong(long address, long delta) {
    return (long) NATIVE_LONG.getAndAdd(WHOLE, address, delta);
  }

  /** Atomically replaces 8 aligned bytes, big-endian; returns the previous value. */
  public static long getAndSetLong(long address, long value) {
    return (long) ALIGNED_LONG.getAndSet(WHOLE, address, value);
  }

  /** Reads 4 bytes in the host's byte order. */
  public static int getNativeInt(long address) {
    return WHOLE.get(NATIVE_INT_UNALIGNED, address);
  }

  /** Writes 4 bytes in the host's byte order. */
  public static void putNativeInt(long address, int value) {
    WHOLE.set(NATIVE_INT_UNALIGNED, address, value);
  }

  /**
   * Atomically replaces 4 aligned bytes, host byte order, if they equal {@code expected}; returns
   * the previous value.
   */
  public static int compareAndExchangeNativeInt(long address, int expected, int value) {
    return (int) NATIVE_INT.compareAndExchange(WHOLE, address, expected, value);
  }

  /** Copies {@code length} bytes; the ranges may overlap. */
  public static void copy(long from, long to, long length) {
    if (length <= 64) {
      copySmall(from, to, (int) length);
    } else {
      MemorySegment.copy(WHOLE, from, WHOLE, to, length);
    }
  }

  // Whole words keep store forwarding working between a producer and a consumer on one core.
  private static void copySmall(long from, long to, int length) {
    if (length == 32 && (to - from >= 32 || from - to >= 0)) {
      long source = from & ADDRESS_BITS;
      long target = to & ADDRESS_BITS;
      for (int i = 0; i < 32; i += 8) {
        putNativeLong(target + i, getNativeLong(source + i));
      }
    } else if (length == 8) {
      putNativeLong(to, getNativeLong(from));
    } else {
      MemorySegment.copy(WHOLE, from, WHOLE, to, length);
    }
  }

  /** Copies {@code length} bytes out of a segment, which checks its own bounds and liveness. */
  public static void copyFrom(MemorySegment source, long offset, long to, long length) {
    MemorySegment.copy(source, offset, WHOLE, to, length);
  }

  /** Copies {@code length} bytes into a segment, which checks its own bounds and liveness. */
  public static void copyTo(long from, MemorySegment target, long offset, long length) {
    MemorySegment.copy(WHOLE, from, target, offset, length);
  }

  /** Sets {@code length} bytes to {@code value}. */
  public static void fill(long address, long length, byte value) {
    WHOLE.asSlice(address, length).fill(value);
  }

  /**
   * Throws the InternalError of an earlier access of this thread to memory that is gone. Compiled
   * code throws it later than at the access, and possibly outside of a {@code try} around it; a
   * call of a native method, such as this one, is the latest place. Takes some 20 ns.
   */
  public static void raiseFault() {
    boolean unused = Thread.holdsLock(WHOLE);
  }

  /** Forgets such an access, because only other work can have caused it. */
  public static void dropFault() {
    try {
      raiseFault();
    } catch (InternalError ofOtherWork) {
      // If that accesses the memory again, it gets the error then.
    }
  }

  /**
   * Orders all earlier accesses before all later ones, and drains write-combining buffers on
   * x86-64.
   */
  public static void fullFence() {
    VarHandle.fullFence();
  }
}
