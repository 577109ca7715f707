package dev.bluebell.hca.command;

import dev.bluebell.hca.command.QpCommands.Qpc;

/**
 * The five path MTUs and their codes in {@link Qpc#MTU}. Mirrors {@code mlx5_ifc.h:
 * MLX5_QPC_MTU_*}; {@code verbs.h: ibv_mtu} has the same codes.
 */
public final class PathMtu {
  /** Code of 256 bytes. */
  public static final int SMALLEST = 1;

  /** Code of 4096 bytes. */
  public static final int LARGEST = 5;

  private static final int LOG_OF_CODE_0 = 7;

  private PathMtu() {}

  /** Code of an MTU in bytes: 1 for 256 … 5 for 4096. */
  public static int code(int bytes) {
    for (int code = SMALLEST; code <= LARGEST; code++) {
      if (bytes(code) == bytes) {
        return code;
      }
    }
    throw new IllegalArgumentException(
        "a path MTU must be 256, 512, 1024, 2048 or 4096 bytes, not " + bytes);
  }

  /** log2 of the MTU of a code. */
  public static int log(int code) {
    return LOG_OF_CODE_0 + code;
  }

  /** MTU in bytes of a code. */
  public static int bytes(int code) {
    return 1 << LOG_OF_CODE_0 + code;
  }
}
