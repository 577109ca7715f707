package dev.bluebell.program;

/** What the bytes of an {@link Operand} are. These types have no values; they type operands. */
public sealed interface Kind {
  /** An unsigned integer of at most 8 bytes, as the device's atomics see it: least byte first. */
  non-sealed interface Number extends Kind {}

  /** An address, 8 bytes in network order, as entries hold it. */
  non-sealed interface Pointer extends Kind {}

  /** Bytes in the order of memory. */
  non-sealed interface Bytes extends Kind {}
}
