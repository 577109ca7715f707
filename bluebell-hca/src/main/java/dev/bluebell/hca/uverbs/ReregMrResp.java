package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of REREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_rereg_mr_resp}. */
public final class ReregMrResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_rereg_mr_resp", 8);

  public static final Field LKEY = D.u32("lkey", 0);
  public static final Field RKEY = D.u32("rkey", 4);

  public static final Structure STRUCTURE = D.structure();

  private ReregMrResp() {}
}
