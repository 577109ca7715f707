package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's output of CREATE_QP. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_qp_resp}. */
public final class Mlx5CreateQpResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_qp_resp", 40);

  public static final Field BFREG_INDEX = D.u32("bfreg_index", 0);
  public static final Field ECE_OPTIONS = D.u32("ece_options", 4);
  public static final Field COMP_MASK = D.u32("comp_mask", 8);
  public static final Field TIRN = D.u32("tirn", 12);
  public static final Field TISN = D.u32("tisn", 16);
  public static final Field RQN = D.u32("rqn", 20);
  public static final Field SQN = D.u32("sqn", 24);
  public static final Field TIR_ICM_ADDR = D.u64("tir_icm_addr", 32);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateQpResp() {}
}
