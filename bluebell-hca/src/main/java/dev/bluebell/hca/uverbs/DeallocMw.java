package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DEALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dealloc_mw}. */
public final class DeallocMw {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_dealloc_mw", 4);

  public static final Field MW_HANDLE = D.u32("mw_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private DeallocMw() {}
}
