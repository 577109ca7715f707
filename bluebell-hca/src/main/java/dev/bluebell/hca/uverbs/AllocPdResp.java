package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of ALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_pd_resp}. */
public final class AllocPdResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_alloc_pd_resp", 4);

  public static final Field PD_HANDLE = D.u32("pd_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private AllocPdResp() {}
}
