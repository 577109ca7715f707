package dev.bluebell.uverbs.abi.structure;

import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.Structure;

/** Output of DESTROY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_srq_resp}. */
public final class DestroySrqResp {
  private static final Structure.Definition D = Structure.define("ib_uverbs_destroy_srq_resp", 4);

  public static final Field EVENTS_REPORTED = D.u32("events_reported", 0);

  public static final Structure STRUCTURE = D.structure();

  private DestroySrqResp() {}
}
