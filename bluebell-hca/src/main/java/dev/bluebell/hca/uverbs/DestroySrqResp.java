package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of DESTROY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_srq_resp}. */
public final class DestroySrqResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_destroy_srq_resp", 4);

  public static final Field EVENTS_REPORTED = D.u32("events_reported", 0);

  public static final Structure STRUCTURE = D.structure();

  private DestroySrqResp() {}
}
