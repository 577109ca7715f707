package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * One piece of each turn of a {@link RepeatSegment}, 16 bytes. Mirrors {@code mlx5dv.h:
 * mlx5_wqe_umr_repeat_ent_seg}.
 */
public final class RepeatEntry {
  public static final int BYTES = 16;

  /** Bytes from one piece to the next. */
  public static final Field STRIDE = new Field("stride", 0, 16);

  public static final Field BYTE_COUNT = new Field("byte_count", 16, 16);
  public static final Field MKEY = new Field("mkey", 32, 32);
  public static final Field ADDRESS = new Field("address", 64, 64);

  private RepeatEntry() {}
}
