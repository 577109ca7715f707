package dev.bluebell.program.compile;

/** In which order bytes are put somewhere. */
enum Order {
  /** As they are. */
  PLAIN,
  /** Last one first: numbers in memory are little-endian, operands of atomics big-endian. */
  REVERSED
}
