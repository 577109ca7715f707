package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of the extended MODIFY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ex_modify_cq}.
 */
public final class ExModifyCq {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ex_modify_cq", 16);

  public static final Field CQ_HANDLE = D.u32("cq_handle", 0);
  public static final Field ATTR_MASK = D.u32("attr_mask", 4);
  public static final Area ATTR = D.struct("attr", 8, CqModeration.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private ExModifyCq() {}
}
