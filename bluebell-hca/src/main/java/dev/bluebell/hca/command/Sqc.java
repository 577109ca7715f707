package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Send queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_sqc_bits} of Linux. */
public final class Sqc {
  private static final Structure.Definition D = Structure.define("sqc", 1920);

  public static final Field RLKY = D.field("rlky", 0x000, 1);
  public static final Field CD_MASTER = D.field("cd_master", 0x001, 1);
  public static final Field FRE = D.field("fre", 0x002, 1);
  public static final Field FLUSH_IN_ERROR_EN = D.field("flush_in_error_en", 0x003, 1);
  public static final Field ALLOW_MULTI_PKT_SEND_WQE =
      D.field("allow_multi_pkt_send_wqe", 0x004, 1);
  public static final Field MIN_WQE_INLINE_MODE = D.field("min_wqe_inline_mode", 0x005, 3);
  public static final Field STATE = D.field("state", 0x008, 4);
  public static final Field REG_UMR = D.field("reg_umr", 0x00c, 1);
  public static final Field ALLOW_SWP = D.field("allow_swp", 0x00d, 1);
  public static final Field HAIRPIN = D.field("hairpin", 0x00e, 1);
  public static final Field NON_WIRE = D.field("non_wire", 0x00f, 1);
  public static final Field STATIC_SQ_WQ = D.field("static_sq_wq", 0x010, 1);
  public static final Field HAIRPIN_WQ_BUFFER_TYPE = D.field("hairpin_wq_buffer_type", 0x015, 3);
  public static final Field TS_FORMAT = D.field("ts_format", 0x01a, 2);
  public static final Field USER_INDEX = D.field("user_index", 0x028, 24);
  public static final Field CQN = D.field("cqn", 0x048, 24);
  public static final Field HAIRPIN_PEER_RQ = D.field("hairpin_peer_rq", 0x068, 24);
  public static final Field HAIRPIN_PEER_VHCA = D.field("hairpin_peer_vhca", 0x090, 16);
  public static final Field TS_CQE_TO_DEST_CQN = D.field("ts_cqe_to_dest_cqn", 0x0c8, 24);
  public static final Field PACKET_PACING_RATE_LIMIT_INDEX =
      D.field("packet_pacing_rate_limit_index", 0x0f0, 16);
  public static final Field TIS_LST_SZ = D.field("tis_lst_sz", 0x100, 16);
  public static final Field QOS_QUEUE_GROUP_ID = D.field("qos_queue_group_id", 0x110, 16);
  public static final Field TIS_NUM_0 = D.field("tis_num_0", 0x168, 24);
  public static final Area WQ = D.area("wq", 0x180, Wq.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private Sqc() {}
}
