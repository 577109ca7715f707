package dev.bluebell.verbs.ring;

/**
 * The bits that an address of user space can have. Masking an address with them changes nothing,
 * but the JIT then knows that it is not negative, and drops the bounds checks of what is accessed
 * there.
 */
final class AddressBits {
  static final long ALL = (1L << 56) - 1;

  /** Of an address that is a multiple of 4. */
  static final long ALIGNED_4 = ALL & -4;

  /** Of an address that is a multiple of 8. */
  static final long ALIGNED_8 = ALL & -8;

  /** Of an address that is a multiple of 64. */
  static final long ALIGNED_64 = ALL & -64;

  private AddressBits() {}
}
