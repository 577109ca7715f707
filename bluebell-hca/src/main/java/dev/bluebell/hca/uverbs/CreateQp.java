package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_qp}. */
public final class CreateQp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_qp", 56);

  public static final Field RESPONSE = D.u64("response", 0);
  public static final Field USER_HANDLE = D.u64("user_handle", 8);
  public static final Field PD_HANDLE = D.u32("pd_handle", 16);
  public static final Field SEND_CQ_HANDLE = D.u32("send_cq_handle", 20);
  public static final Field RECV_CQ_HANDLE = D.u32("recv_cq_handle", 24);
  public static final Field SRQ_HANDLE = D.u32("srq_handle", 28);
  public static final Area CAP = D.inline(32, QpCap.STRUCTURE);
  public static final Field SQ_SIG_ALL = D.u8("sq_sig_all", 52);
  public static final Field QP_TYPE = D.u8("qp_type", 53);
  public static final Field IS_SRQ = D.u8("is_srq", 54);

  public static final Structure STRUCTURE = D.structure();

  private CreateQp() {}
}
