package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DESTROY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_srq}. */
public final class DestroySrq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_destroy_srq", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field SRQ_HANDLE = D.u32("srq_handle", 8);

  public static final Structure STRUCTURE = D.structure();

  private DestroySrq() {}
}
