package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/** New value of a signature object, 16 bytes. Mirrors {@code wqe.h: mlx5_wqe_set_psv_seg}. */
public final class PsvSegment {
  public static final int BYTES = 16;

  public static final Field PSV_INDEX = new Field("psv_index", 0, 32);
  public static final Field SYNDROME = new Field("syndrome", 32, 16);
  public static final Field TRANSIENT_SIGNATURE = new Field("transient_signature", 64, 64);

  private PsvSegment() {}
}
