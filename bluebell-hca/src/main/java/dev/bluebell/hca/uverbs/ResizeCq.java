package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of RESIZE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_resize_cq}. */
public final class ResizeCq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_resize_cq", 16);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field CQ_HANDLE = D.u32("cq_handle", 8);
  public static final Field CQE = D.u32("cqe", 12);

  public static final Structure STRUCTURE = D.structure();

  private ResizeCq() {}
}
