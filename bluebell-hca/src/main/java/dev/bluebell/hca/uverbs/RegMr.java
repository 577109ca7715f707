package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of REG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_reg_mr}. */
public final class RegMr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_reg_mr", 40);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field START = D.u64("start", 8);
  public static final Field LENGTH = D.u64("length", 16);
  public static final Field HCA_VA = D.u64("hca_va", 24);
  public static final Field PD_HANDLE = D.u32("pd_handle", 32);
  public static final Field ACCESS_FLAGS = D.u32("access_flags", 36);

  public static final Structure STRUCTURE = D.structure();

  private RegMr() {}
}
