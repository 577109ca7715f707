package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's input of CREATE_SRQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_srq}. */
public final class Mlx5CreateSrq {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_srq", 32);

  public static final Field BUF_ADDR = D.u64("buf_addr", 0);
  public static final Field DB_ADDR = D.u64("db_addr", 8);
  public static final Field FLAGS = D.u32("flags", 16);
  public static final Field UIDX = D.u32("uidx", 24);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateSrq() {}
}
