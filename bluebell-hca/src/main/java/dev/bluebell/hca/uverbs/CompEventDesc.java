package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * A completion event, as a client reads it from a completion channel. Mirrors {@code
 * rdma/ib_user_verbs.h: ib_uverbs_comp_event_desc}.
 */
public final class CompEventDesc {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_comp_event_desc", 8);

  public static final Field CQ_HANDLE = D.u64("cq_handle", 0);

  public static final Structure STRUCTURE = D.structure();

  private CompEventDesc() {}
}
