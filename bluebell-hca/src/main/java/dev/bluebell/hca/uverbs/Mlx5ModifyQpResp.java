package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The driver's output of the extended MODIFY_QP. Mirrors {@code rdma/mlx5-abi.h:
 * mlx5_ib_modify_qp_resp}.
 */
public final class Mlx5ModifyQpResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_modify_qp_resp", 16);

  public static final Field RESPONSE_LENGTH = D.u32("response_length", 0);
  public static final Field DCTN = D.u32("dctn", 4);
  public static final Field ECE_OPTIONS = D.u32("ece_options", 8);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5ModifyQpResp() {}
}
