package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DESTROY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_cq}. */
public final class DestroyCq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_destroy_cq", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field CQ_HANDLE = D.u32("cq_handle", 8);

  public static final Structure STRUCTURE = D.structure();

  private DestroyCq() {}
}
