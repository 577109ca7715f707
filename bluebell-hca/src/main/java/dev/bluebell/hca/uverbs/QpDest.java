package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * A path in {@link ModifyQp} and {@link QueryQpResp}. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_qp_dest}.
 */
public final class QpDest {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_qp_dest", 32);

  public static final Field DGID = D.bytes("dgid", 0, 16);
  public static final Field FLOW_LABEL = D.u32("flow_label", 16);
  public static final Field DLID = D.u16("dlid", 20);
  public static final Field SGID_INDEX = D.u8("sgid_index", 24);
  public static final Field HOP_LIMIT = D.u8("hop_limit", 25);
  public static final Field TRAFFIC_CLASS = D.u8("traffic_class", 26);
  public static final Field SL = D.u8("sl", 27);
  public static final Field SRC_PATH_BITS = D.u8("src_path_bits", 28);
  public static final Field STATIC_RATE = D.u8("static_rate", 29);
  public static final Field IS_GLOBAL = D.u8("is_global", 30);
  public static final Field PORT_NUM = D.u8("port_num", 31);

  public static final Structure STRUCTURE = D.structure();

  private QpDest() {}
}
