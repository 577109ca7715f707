package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DEREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dereg_mr}. */
public final class DeregMr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_dereg_mr", 4);

  public static final Field MR_HANDLE = D.u32("mr_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private DeregMr() {}
}
