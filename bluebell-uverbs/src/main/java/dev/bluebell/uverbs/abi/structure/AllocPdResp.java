package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/** Output of ALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_pd_resp}. */
public final class AllocPdResp {
  private static final Structure.Definition D = Structure.define("ib_uverbs_alloc_pd_resp", 4);

  public static final Field PD_HANDLE = D.u32("pd_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private AllocPdResp() {}
}
