package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of DESTROY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_qp_resp}. */
public final class DestroyQpResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_destroy_qp_resp", 4);

  public static final Field EVENTS_REPORTED = D.u32("events_reported", 0);

  public static final Structure STRUCTURE = D.structure();

  private DestroyQpResp() {}
}
