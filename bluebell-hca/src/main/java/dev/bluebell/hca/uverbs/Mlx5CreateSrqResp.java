package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's output of CREATE_SRQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_srq_resp}. */
public final class Mlx5CreateSrqResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_srq_resp", 8);

  public static final Field SRQN = D.u32("srqn", 0);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateSrqResp() {}
}
