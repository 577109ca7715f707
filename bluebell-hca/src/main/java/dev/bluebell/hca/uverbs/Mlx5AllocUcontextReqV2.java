package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The driver's input of GET_CONTEXT. Mirrors {@code rdma/mlx5-abi.h:
 * mlx5_ib_alloc_ucontext_req_v2}.
 */
public final class Mlx5AllocUcontextReqV2 {
  private static final Structure.Definition D =
      Structure.littleEndian("mlx5_ib_alloc_ucontext_req_v2", 32);

  public static final Field TOTAL_NUM_BFREGS = D.u32("total_num_bfregs", 0);
  public static final Field NUM_LOW_LATENCY_BFREGS = D.u32("num_low_latency_bfregs", 4);
  public static final Field FLAGS = D.u32("flags", 8);
  public static final Field COMP_MASK = D.u32("comp_mask", 12);
  public static final Field MAX_CQE_VERSION = D.u8("max_cqe_version", 16);
  public static final Field LIB_CAPS = D.u64("lib_caps", 24);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5AllocUcontextReqV2() {}
}
