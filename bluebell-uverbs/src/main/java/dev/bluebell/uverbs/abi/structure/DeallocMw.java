package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/** Input of DEALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dealloc_mw}. */
public final class DeallocMw {
  private static final Structure.Definition D = Structure.define("ib_uverbs_dealloc_mw", 4);

  public static final Field MW_HANDLE = D.u32("mw_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private DeallocMw() {}
}
