package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The driver's output of CREATE_AH. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_ah_resp}. */
public final class Mlx5CreateAhResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_ah_resp", 16);

  public static final Field RESPONSE_LENGTH = D.u32("response_length", 0);
  public static final Field DMAC = D.bytes("dmac", 4, 6);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5CreateAhResp() {}
}
