package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/** The driver's output of CREATE_SRQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_srq_resp}. */
public final class Mlx5CreateSrqResp {
  private static final Structure.Definition D = Structure.define("mlx5_ib_create_srq_resp", 8);

  public static final Field SRQN = D.u32("srqn", 0);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateSrqResp() {}
}
