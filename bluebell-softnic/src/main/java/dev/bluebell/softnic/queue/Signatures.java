package dev.bluebell.softnic.queue;

import dev.bluebell.hca.memory.Memory;

/**
 * The signature of WQEs: the complement of the XOR of all bytes that it covers, with itself counted
 * as 0. With the signature in place, the XOR is therefore 0xff.
 */
final class Signatures {
  private static final int RIGHT = 0xff;

  private Signatures() {}

  /** XOR of the words in {@code [from, to)}, a multiple of 8 bytes. */
  static long sum(long from, long to) {
    long sum = 0;
    for (long at = from; at < to; at += Long.BYTES) {
      sum ^= Memory.getLong(at);
    }
    return sum;
  }

  /** True when the XORed bytes contain the right signature. */
  static boolean isRight(long sum) {
    return fold(sum) == RIGHT;
  }

  /** The signature that should be in the place of {@code found}. */
  static int expected(long sum, int found) {
    return fold(sum) ^ found ^ RIGHT;
  }

  private static int fold(long sum) {
    long half = sum ^ sum >>> 32;
    long quarter = half ^ half >>> 16;
    return (int) (quarter ^ quarter >>> 8) & 0xff;
  }
}
