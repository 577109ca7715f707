package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_cq_resp}. */
public final class CreateCqResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_cq_resp", 8);

  public static final Field CQ_HANDLE = D.u32("cq_handle", 0);
  public static final Field CQE = D.u32("cqe", 4);

  public static final Structure STRUCTURE = D.structure();

  private CreateCqResp() {}
}
