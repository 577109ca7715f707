package dev.bluebell.program;

/** Type of the bytes of an {@link Operand}. These interfaces have no instances. */
public sealed interface Kind {
  /** An unsigned integer of at most 8 bytes, little-endian, as the device's atomics need it. */
  non-sealed interface Number extends Kind {}

  /** An address, 8 bytes in network order, as in queue entries. */
  non-sealed interface Pointer extends Kind {}

  /** Bytes in memory order. */
  non-sealed interface Bytes extends Kind {}
}
