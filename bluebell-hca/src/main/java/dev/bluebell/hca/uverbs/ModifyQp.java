package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of MODIFY_QP. The bits of {@code attr_mask} say which fields count. Mirrors {@code
 * rdma/ib_user_verbs.h: ib_uverbs_modify_qp}.
 */
public final class ModifyQp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_modify_qp", 112);

  public static final Area DEST = D.struct("dest", 0, QpDest.STRUCTURE);
  public static final Area ALT_DEST = D.struct("alt_dest", 32, QpDest.STRUCTURE);
  public static final Field QP_HANDLE = D.u32("qp_handle", 64);
  public static final Field ATTR_MASK = D.u32("attr_mask", 68);
  public static final Field QKEY = D.u32("qkey", 72);
  public static final Field RQ_PSN = D.u32("rq_psn", 76);
  public static final Field SQ_PSN = D.u32("sq_psn", 80);
  public static final Field DEST_QP_NUM = D.u32("dest_qp_num", 84);
  public static final Field QP_ACCESS_FLAGS = D.u32("qp_access_flags", 88);
  public static final Field PKEY_INDEX = D.u16("pkey_index", 92);
  public static final Field ALT_PKEY_INDEX = D.u16("alt_pkey_index", 94);
  public static final Field QP_STATE = D.u8("qp_state", 96);
  public static final Field CUR_QP_STATE = D.u8("cur_qp_state", 97);
  public static final Field PATH_MTU = D.u8("path_mtu", 98);
  public static final Field PATH_MIG_STATE = D.u8("path_mig_state", 99);
  public static final Field EN_SQD_ASYNC_NOTIFY = D.u8("en_sqd_async_notify", 100);
  public static final Field MAX_RD_ATOMIC = D.u8("max_rd_atomic", 101);
  public static final Field MAX_DEST_RD_ATOMIC = D.u8("max_dest_rd_atomic", 102);
  public static final Field MIN_RNR_TIMER = D.u8("min_rnr_timer", 103);
  public static final Field PORT_NUM = D.u8("port_num", 104);
  public static final Field TIMEOUT = D.u8("timeout", 105);
  public static final Field RETRY_CNT = D.u8("retry_cnt", 106);
  public static final Field RNR_RETRY = D.u8("rnr_retry", 107);
  public static final Field ALT_PORT_NUM = D.u8("alt_port_num", 108);
  public static final Field ALT_TIMEOUT = D.u8("alt_timeout", 109);

  public static final Structure STRUCTURE = D.structure();

  private ModifyQp() {}
}
