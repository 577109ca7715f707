package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Number of the destination shared receive queue of an extended reliable connection's message, 16
 * bytes behind the control segment. Mirrors {@code wqe.h: mlx5_wqe_xrc_seg}.
 */
public final class XrcSegment {
  public static final int BYTES = 16;

  /** Number of the remote shared receive queue. */
  public static final Field SRQN = new Field("srqn", 8, 24);

  private XrcSegment() {}

  /** Bytes 0–7: the number, then 4 reserved bytes; bytes 8–15 are reserved. */
  public static long first(int srqn) {
    return SRQN.place(srqn);
  }

  /** Number of the remote shared receive queue. */
  public static int srqn(long first) {
    return SRQN.getInt(first);
  }
}
