package dev.bluebell.verbs;

/**
 * The five path MTUs. Mirrors {@code verbs.h: ibv_mtu}, whose codes the queue pair context holds.
 */
final class PathMtu {
  private static final int LOG_OF_CODE_0 = 7;

  private PathMtu() {}

  /** Code of an MTU in bytes: 1 for 256 … 5 for 4096. */
  static int code(int bytes) {
    for (int code = 1; code <= 5; code++) {
      if (bytes(code) == bytes) {
        return code;
      }
    }
    throw new IllegalArgumentException(
        "a path MTU is 256, 512, 1024, 2048 or 4096 bytes, not " + bytes);
  }

  /** MTU in bytes of a code. */
  static int bytes(int code) {
    return 1 << LOG_OF_CODE_0 + code;
  }
}
