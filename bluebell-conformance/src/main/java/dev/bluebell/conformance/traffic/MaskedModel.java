package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Bits128;
import java.util.SplittableRandom;

/** What masked atomics do, bit by bit. */
final class MaskedModel {

  private MaskedModel() {}

  static Bits128 random(SplittableRandom random) {
    return new Bits128(random.nextLong(), random.nextLong());
  }

  /** Few bits, or none. */
  static Bits128 sparse(SplittableRandom random) {
    return new Bits128(sparseHalf(random), sparseHalf(random));
  }

  private static long sparseHalf(SplittableRandom random) {
    long bits = random.nextLong();
    bits &= random.nextLong();
    return bits & random.nextLong();
  }

  /** One value where a mask has bits, and another elsewhere. */
  static Bits128 choose(Bits128 mask, Bits128 inside, Bits128 outside) {
    return new Bits128(
        inside.high() & mask.high() | outside.high() & ~mask.high(),
        inside.low() & mask.low() | outside.low() & ~mask.low());
  }

  /** The memory after a masked compare-and-swap. */
  static Bits128 swap(
      Bits128 old,
      int bytes,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask) {
    for (int i = 0; i < bytes * 8; i++) {
      if (bit(compareMask, i) && bit(old, i) != bit(compare, i)) {
        return old;
      }
    }
    return choose(swapMask, swap, old);
  }

  /** The memory after an addition to fields: no carry leaves a field. */
  static Bits128 add(Bits128 old, int bytes, Bits128 add, Bits128 fieldEnds) {
    long high = 0;
    long low = 0;
    int carry = 0;
    for (int i = 0; i < bytes * 8; i++) {
      int sum = (bit(old, i) ? 1 : 0) + (bit(add, i) ? 1 : 0) + carry;
      if ((sum & 1) != 0) {
        if (i < Long.SIZE) {
          low |= 1L << i;
        } else {
          high |= 1L << i - Long.SIZE;
        }
      }
      carry = bit(fieldEnds, i) ? 0 : sum >> 1;
    }
    return new Bits128(high, low);
  }

  private static boolean bit(Bits128 value, int index) {
    long half = index < Long.SIZE ? value.low() : value.high();
    return (half >>> index & 1) != 0;
  }
}
