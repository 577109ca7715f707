package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_srq}. */
public final class CreateSrq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_srq", 32);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field USER_HANDLE = D.u64("user_handle", 8);
  public static final Field PD_HANDLE = D.u32("pd_handle", 16);
  public static final Field MAX_WR = D.u32("max_wr", 20);
  public static final Field MAX_SGE = D.u32("max_sge", 24);
  public static final Field SRQ_LIMIT = D.u32("srq_limit", 28);

  public static final Structure STRUCTURE = D.structure();

  private CreateSrq() {}
}
