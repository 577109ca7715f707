package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of ALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_pd}. */
public final class AllocPd {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_alloc_pd", 8);

  public static final Field RESPONSE = D.u64("response", 0);

  public static final Structure STRUCTURE = D.structure();

  private AllocPd() {}
}
