package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of MODIFY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_modify_srq}. */
public final class ModifySrq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_modify_srq", 16);

  public static final Field SRQ_HANDLE = D.u32("srq_handle", 0);
  public static final Field ATTR_MASK = D.u32("attr_mask", 4);
  public static final Field MAX_WR = D.u32("max_wr", 8);
  public static final Field SRQ_LIMIT = D.u32("srq_limit", 12);

  public static final Structure STRUCTURE = D.structure();

  private ModifySrq() {}
}
