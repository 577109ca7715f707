package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_qp_resp}. */
public final class CreateQpResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_qp_resp", 32);

  public static final Field QP_HANDLE = D.u32("qp_handle", 0);
  public static final Field QPN = D.u32("qpn", 4);
  public static final Area CAP = D.inline(8, QpCap.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private CreateQpResp() {}
}
