package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of the extended MODIFY_QP. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_ex_modify_qp_resp}.
 */
public final class ExModifyQpResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ex_modify_qp_resp", 8);

  public static final Field COMP_MASK = D.u32("comp_mask", 0);
  public static final Field RESPONSE_LENGTH = D.u32("response_length", 4);

  public static final Structure STRUCTURE = D.structure();

  private ExModifyQpResp() {}
}
