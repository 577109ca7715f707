package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of REREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_rereg_mr}. */
public final class ReregMr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_rereg_mr", 48);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field MR_HANDLE = D.u32("mr_handle", 8);
  public static final Field FLAGS = D.u32("flags", 12);
  public static final Field START = D.u64("start", 16);
  public static final Field LENGTH = D.u64("length", 24);
  public static final Field HCA_VA = D.u64("hca_va", 32);
  public static final Field PD_HANDLE = D.u32("pd_handle", 40);
  public static final Field ACCESS_FLAGS = D.u32("access_flags", 44);

  public static final Structure STRUCTURE = D.structure();

  private ReregMr() {}
}
