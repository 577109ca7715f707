package dev.bluebell.conformance;

import dev.bluebell.verbs.Bits128;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * What atomics do, on numbers of any size: the model that devices are compared with.
 *
 * @param bytes size of the operands
 */
record AtomicModel(int bytes) {

  /**
   * Bits of {@code swap} where {@code swapMask} has them, if those of {@code compareMask} equal.
   */
  BigInteger swap(
      BigInteger memory,
      BigInteger compare,
      BigInteger swap,
      BigInteger compareMask,
      BigInteger swapMask) {
    boolean equal = memory.xor(compare).and(compareMask).signum() == 0;
    return equal ? memory.andNot(swapMask).or(swap.and(swapMask)) : memory;
  }

  /** A sum in which no carry leaves a bit of {@code boundary}. */
  BigInteger add(BigInteger memory, BigInteger add, BigInteger boundary) {
    BigInteger sum = BigInteger.ZERO;
    int carry = 0;
    for (int i = 0; i < 8 * bytes; i++) {
      int bits = bit(memory, i) + bit(add, i) + carry;
      sum = (bits & 1) == 0 ? sum : sum.setBit(i);
      carry = boundary.testBit(i) ? 0 : bits >> 1;
    }
    return sum;
  }

  private static int bit(BigInteger number, int i) {
    return number.testBit(i) ? 1 : 0;
  }

  /** All bits. */
  BigInteger ones() {
    return BigInteger.ONE.shiftLeft(8 * bytes).subtract(BigInteger.ONE);
  }

  /** The bytes of a number in an order. */
  byte[] toBytes(BigInteger number, ByteOrder order) {
    byte[] result = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      int at = order == ByteOrder.LITTLE_ENDIAN ? i : bytes - 1 - i;
      result[at] = number.shiftRight(8 * i).byteValue();
    }
    return result;
  }

  /** How a result lands: one of 8 bytes in the host's order, others big-endian. */
  ByteOrder resultOrder() {
    return bytes == Long.BYTES ? ByteOrder.nativeOrder() : ByteOrder.BIG_ENDIAN;
  }

  /** A number of 16 bytes as the driver takes it. */
  static Bits128 bits(BigInteger number) {
    return new Bits128(number.shiftRight(64).longValue(), number.longValue());
  }
}
