package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of ALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_mw_resp}. */
public final class AllocMwResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_alloc_mw_resp", 8);

  public static final Field MW_HANDLE = D.u32("mw_handle", 0);
  public static final Field RKEY = D.u32("rkey", 4);

  public static final Structure STRUCTURE = D.structure();

  private AllocMwResp() {}
}
