package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;

/** {@link Memory#ADDRESS_BITS} of addresses that are known to be aligned. */
final class AddressBits {
  /** Of an address that is a multiple of 4. */
  static final long ALIGNED_4 = Memory.ADDRESS_BITS & -4;

  /** Of an address that is a multiple of 8. */
  static final long ALIGNED_8 = Memory.ADDRESS_BITS & -8;

  /** Of an address that is a multiple of 64. */
  static final long ALIGNED_64 = Memory.ADDRESS_BITS & -64;

  private AddressBits() {}
}
