package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Head of an entry of a shared receive queue, 16 bytes. Mirrors {@code wqe.h:
 * mlx5_wqe_srq_next_seg}.
 */
public final class NextSegment {
  public static final int BYTES = 16;

  /** Index of the next free entry. */
  public static final Field NEXT_WQE_INDEX = new Field("next_wqe_index", 16, 16);

  public static final Field SIGNATURE = new Field("signature", 32, 8);

  private NextSegment() {}
}
