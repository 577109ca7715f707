package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's input of RESIZE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_resize_cq}. */
public final class Mlx5ResizeCq {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_resize_cq", 16);

  public static final Field BUF_ADDR = D.u64("buf_addr", 0);
  public static final Field CQE_SIZE = D.u16("cqe_size", 8);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5ResizeCq() {}
}
