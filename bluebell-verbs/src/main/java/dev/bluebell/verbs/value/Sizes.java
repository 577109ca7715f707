package dev.bluebell.verbs.value;

/** Powers of two. */
public final class Sizes {
  private Sizes() {}

  /** Smallest exponent whose power of two is at least {@code number}, which is at least 1. */
  public static int log2Ceiling(int number) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(number - 1);
  }

  /** Largest exponent whose power of two is at most {@code number}, which is at least 1. */
  public static int log2Floor(int number) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
  }
}
