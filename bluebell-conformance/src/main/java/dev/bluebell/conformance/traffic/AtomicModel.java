package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Bits128;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * The model of atomic operations, on numbers of any size, with which devices are compared.
 *
 * @param bytes size of the operands
 */
public record AtomicModel(int bytes) {

  /**
   * Replaces the bits in {@code swapMask} by {@code swap}, if the bits in {@code compareMask} are
   * equal.
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

  /** A sum without carries out of the bits in {@code boundary}. */
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

  /** A number with all bits set. */
  BigInteger ones() {
    return BigInteger.ONE.shiftLeft(8 * bytes).subtract(BigInteger.ONE);
  }

  /** The big-endian bytes of a number: an operand in a request. */
  byte[] toBytes(BigInteger number) {
    byte[] result = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      result[bytes - 1 - i] = number.shiftRight(8 * i).byteValue();
    }
    return result;
  }

  /** The bytes of a number in the target's memory: words in host order, the highest word first. */
  public byte[] toMemory(BigInteger number) {
    return turn(toBytes(number));
  }

  /** The number in the target's memory. */
  public BigInteger ofMemory(byte[] memory) {
    return new BigInteger(1, turn(memory));
  }

  /** The bytes of a result in local memory: 8 bytes in host order, other sizes big-endian. */
  public byte[] toResult(BigInteger number) {
    return bytes == Long.BYTES ? toMemory(number) : toBytes(number);
  }

  /** Converts words of 8 bytes, or a shorter one, between big-endian and host order. */
  private byte[] turn(byte[] words) {
    if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
      return words;
    }
    int word = Math.min(bytes, Long.BYTES);
    byte[] turned = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      turned[i] = words[i / word * word + word - 1 - i % word];
    }
    return turned;
  }

  /** A number of 16 bytes in the driver's type. */
  static Bits128 bits(BigInteger number) {
    return new Bits128(number.shiftRight(64).longValue(), number.longValue());
  }
}
