package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of RESIZE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_resize_cq_resp}. */
public final class ResizeCqResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_resize_cq_resp", 8);

  public static final Field CQE = D.u32("cqe", 0);

  public static final Structure STRUCTURE = D.structure();

  private ResizeCqResp() {}
}
