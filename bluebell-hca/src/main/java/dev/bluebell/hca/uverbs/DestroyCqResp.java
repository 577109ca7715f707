package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of DESTROY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_cq_resp}. */
public final class DestroyCqResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_destroy_cq_resp", 8);

  public static final Field COMP_EVENTS_REPORTED = D.u32("comp_events_reported", 0);
  public static final Field ASYNC_EVENTS_REPORTED = D.u32("async_events_reported", 4);

  public static final Structure STRUCTURE = D.structure();

  private DestroyCqResp() {}
}
