package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DEALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dealloc_pd}. */
public final class DeallocPd {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_dealloc_pd", 4);

  public static final Field PD_HANDLE = D.u32("pd_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private DeallocPd() {}
}
