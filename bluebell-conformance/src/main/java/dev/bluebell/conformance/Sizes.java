package dev.bluebell.conformance;

import java.util.stream.IntStream;

/** Message sizes around every border: words, cache lines, inline data, path MTU, bursts. */
final class Sizes {
  /** Bytes on both sides of a destination that must stay as they were. */
  static final int MARGIN = 64;

  private Sizes() {}

  static IntStream all() {
    return IntStream.of(0, 1, 31, 32, 33, 63, 64, 4095, 4096, 4097, 65535, 65536, 65537, 1 << 20);
  }
}
