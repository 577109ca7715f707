package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of REG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_reg_mr_resp}. */
public final class RegMrResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_reg_mr_resp", 12);

  public static final Field MR_HANDLE = D.u32("mr_handle", 0);
  public static final Field LKEY = D.u32("lkey", 4);
  public static final Field RKEY = D.u32("rkey", 8);

  public static final Structure STRUCTURE = D.structure();

  private RegMrResp() {}
}
