package dev.bluebell.softnic.queue;

import dev.bluebell.hca.memory.Memory;

/**
 * The signature of WQEs: the complement of the exclusive or of all bytes that it covers, itself
 * counted as 0. With the signature in its place, the exclusive or is therefore 0xff.
 */
final class Signatures {
  private static final int RIGHT = 0xff;

  private Signatures() {}

  /** Exclusive or of the words in {@code [from, to)}, a multiple of 8 bytes. */
  static long sum(long from, long to) {
    long sum = 0;
    for (long at = from; at < to; at += Long.BYTES) {
      sum ^= Memory.getLong(at);
    }
    return sum;
  }

  /** True when the bytes that were summed up contain their right signature. */
  static boolean isRight(long sum) {
    return fold(sum) == RIGHT;
  }

  /** The signature that should stand where {@code found} does. */
  static int expected(long sum, int found) {
    return fold(sum) ^ found ^ RIGHT;
  }

  private static int fold(long sum) {
    long half = sum ^ sum >>> 32;
    long quarter = half ^ half >>> 16;
    return (int) (quarter ^ quarter >>> 8) & 0xff;
  }
}
