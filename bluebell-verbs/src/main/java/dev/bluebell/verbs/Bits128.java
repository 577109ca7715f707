package dev.bluebell.verbs;

/**
 * A 16-byte operand as one number. In the peer's memory the high half comes first, and each half is
 * in the peer's byte order; the original value is returned big-endian.
 *
 * @param high its upper 64 bits
 * @param low its lower 64 bits
 */
public record Bits128(long high, long low) {
  /** All bits 0. */
  public static final Bits128 ZERO = new Bits128(0, 0);

  /** All bits 1. */
  public static final Bits128 ALL = new Bits128(-1, -1);

  /** The bitwise complement. */
  public Bits128 not() {
    return new Bits128(~high, ~low);
  }
}
