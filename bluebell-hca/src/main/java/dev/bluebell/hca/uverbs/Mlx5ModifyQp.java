package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's input of MODIFY_QP. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_modify_qp}. */
public final class Mlx5ModifyQp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_modify_qp", 16);

  public static final Field COMP_MASK = D.u32("comp_mask", 0);
  public static final Field RESERVED = D.u16("burst_info.reserved", 10);
  public static final Field ECE_OPTIONS = D.u32("ece_options", 12);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5ModifyQp() {}
}
