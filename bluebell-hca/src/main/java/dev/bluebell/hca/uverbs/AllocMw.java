package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of ALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_mw}. */
public final class AllocMw {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_alloc_mw", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field PD_HANDLE = D.u32("pd_handle", 8);
  public static final Field MW_TYPE = D.u8("mw_type", 12);

  public static final Structure STRUCTURE = D.structure();

  private AllocMw() {}
}
