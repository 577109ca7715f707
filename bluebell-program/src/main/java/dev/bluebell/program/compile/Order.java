package dev.bluebell.program.compile;

/** Byte order of a copy. */
enum Order {
  /** Unchanged. */
  PLAIN,
  /** Reversed: numbers in memory are little-endian, operands of atomics big-endian. */
  REVERSED
}
