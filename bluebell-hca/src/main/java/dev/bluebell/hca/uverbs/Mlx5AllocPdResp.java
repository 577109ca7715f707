package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's output of ALLOC_PD. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_alloc_pd_resp}. */
public final class Mlx5AllocPdResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_alloc_pd_resp", 4);

  public static final Field PDN = D.u32("pdn", 0);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5AllocPdResp() {}
}
