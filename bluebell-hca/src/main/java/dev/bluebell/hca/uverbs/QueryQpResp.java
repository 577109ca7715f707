package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_QP. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_qp_resp}. */
public final class QueryQpResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_query_qp_resp", 128);

  public static final Area DEST = D.struct("dest", 0, QpDest.STRUCTURE);
  public static final Area ALT_DEST = D.struct("alt_dest", 32, QpDest.STRUCTURE);
  public static final Area CAP = D.inline(64, QpCap.STRUCTURE);
  public static final Field QKEY = D.u32("qkey", 84);
  public static final Field RQ_PSN = D.u32("rq_psn", 88);
  public static final Field SQ_PSN = D.u32("sq_psn", 92);
  public static final Field DEST_QP_NUM = D.u32("dest_qp_num", 96);
  public static final Field QP_ACCESS_FLAGS = D.u32("qp_access_flags", 100);
  public static final Field PKEY_INDEX = D.u16("pkey_index", 104);
  public static final Field ALT_PKEY_INDEX = D.u16("alt_pkey_index", 106);
  public static final Field QP_STATE = D.u8("qp_state", 108);
  public static final Field CUR_QP_STATE = D.u8("cur_qp_state", 109);
  public static final Field PATH_MTU = D.u8("path_mtu", 110);
  public static final Field PATH_MIG_STATE = D.u8("path_mig_state", 111);
  public static final Field SQ_DRAINING = D.u8("sq_draining", 112);
  public static final Field MAX_RD_ATOMIC = D.u8("max_rd_atomic", 113);
  public static final Field MAX_DEST_RD_ATOMIC = D.u8("max_dest_rd_atomic", 114);
  public static final Field MIN_RNR_TIMER = D.u8("min_rnr_timer", 115);
  public static final Field PORT_NUM = D.u8("port_num", 116);
  public static final Field TIMEOUT = D.u8("timeout", 117);
  public static final Field RETRY_CNT = D.u8("retry_cnt", 118);
  public static final Field RNR_RETRY = D.u8("rnr_retry", 119);
  public static final Field ALT_PORT_NUM = D.u8("alt_port_num", 120);
  public static final Field ALT_TIMEOUT = D.u8("alt_timeout", 121);
  public static final Field SQ_SIG_ALL = D.u8("sq_sig_all", 122);

  public static final Structure STRUCTURE = D.structure();

  private QueryQpResp() {}
}
