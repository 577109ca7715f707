package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_PORT. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_port_resp}. */
public final class QueryPortResp {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_query_port_resp", 40);

  public static final Field PORT_CAP_FLAGS = D.u32("port_cap_flags", 0);
  public static final Field MAX_MSG_SZ = D.u32("max_msg_sz", 4);
  public static final Field BAD_PKEY_CNTR = D.u32("bad_pkey_cntr", 8);
  public static final Field QKEY_VIOL_CNTR = D.u32("qkey_viol_cntr", 12);
  public static final Field GID_TBL_LEN = D.u32("gid_tbl_len", 16);
  public static final Field PKEY_TBL_LEN = D.u16("pkey_tbl_len", 20);
  public static final Field LID = D.u16("lid", 22);
  public static final Field SM_LID = D.u16("sm_lid", 24);
  public static final Field STATE = D.u8("state", 26);
  public static final Field MAX_MTU = D.u8("max_mtu", 27);
  public static final Field ACTIVE_MTU = D.u8("active_mtu", 28);
  public static final Field LMC = D.u8("lmc", 29);
  public static final Field MAX_VL_NUM = D.u8("max_vl_num", 30);
  public static final Field SM_SL = D.u8("sm_sl", 31);
  public static final Field SUBNET_TIMEOUT = D.u8("subnet_timeout", 32);
  public static final Field INIT_TYPE_REPLY = D.u8("init_type_reply", 33);
  public static final Field ACTIVE_WIDTH = D.u8("active_width", 34);
  public static final Field ACTIVE_SPEED = D.u8("active_speed", 35);
  public static final Field PHYS_STATE = D.u8("phys_state", 36);
  public static final Field LINK_LAYER = D.u8("link_layer", 37);
  public static final Field FLAGS = D.u8("flags", 38);

  public static final Structure STRUCTURE = D.structure();

  private QueryPortResp() {}
}
