package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The memory to which a memory-to-memory operation reports, 16 bytes. Mirrors {@code wqe.h:
 * mlx5_mmo_metadata_seg}.
 */
public final class MmoSegment {
  public static final int BYTES = 16;

  public static final Field CONTROL_31_0 = new Field("control_31_0", 0, 32);
  public static final Field LKEY = new Field("lkey", 32, 32);
  public static final Field ADDRESS = new Field("address", 64, 64);

  private MmoSegment() {}
}
