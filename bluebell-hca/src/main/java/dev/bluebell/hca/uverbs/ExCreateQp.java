package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of the extended CREATE_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ex_create_qp}.
 */
public final class ExCreateQp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ex_create_qp", 64);

  public static final Field USER_HANDLE = D.u64("user_handle", 0);
  public static final Field PD_HANDLE = D.u32("pd_handle", 8);
  public static final Field SEND_CQ_HANDLE = D.u32("send_cq_handle", 12);
  public static final Field RECV_CQ_HANDLE = D.u32("recv_cq_handle", 16);
  public static final Field SRQ_HANDLE = D.u32("srq_handle", 20);
  public static final Area CAP = D.inline(24, QpCap.STRUCTURE);
  public static final Field SQ_SIG_ALL = D.u8("sq_sig_all", 44);
  public static final Field QP_TYPE = D.u8("qp_type", 45);
  public static final Field IS_SRQ = D.u8("is_srq", 46);
  public static final Field COMP_MASK = D.u32("comp_mask", 48);
  public static final Field CREATE_FLAGS = D.u32("create_flags", 52);
  public static final Field RWQ_IND_TBL_HANDLE = D.u32("rwq_ind_tbl_handle", 56);
  public static final Field SOURCE_QPN = D.u32("source_qpn", 60);

  public static final Structure STRUCTURE = D.structure();

  private ExCreateQp() {}
}
