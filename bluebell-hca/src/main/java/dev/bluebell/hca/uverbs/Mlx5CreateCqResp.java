package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's output of CREATE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_cq_resp}. */
public final class Mlx5CreateCqResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_cq_resp", 8);

  public static final Field CQN = D.u32("cqn", 0);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateCqResp() {}
}
