package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** RoCE capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_roce_cap_bits} of Linux. */
public final class RoceCap {
  private static final Structure.Definition D = Structure.define("roce_cap", 2048);

  public static final Field ROCE_APM = D.field("roce_apm", 0x000, 1);
  public static final Field SW_R_ROCE_SRC_UDP_PORT = D.field("sw_r_roce_src_udp_port", 0x004, 1);
  public static final Field FL_RC_QP_WHEN_ROCE_DISABLED =
      D.field("fl_rc_qp_when_roce_disabled", 0x005, 1);
  public static final Field FL_RC_QP_WHEN_ROCE_ENABLED =
      D.field("fl_rc_qp_when_roce_enabled", 0x006, 1);
  public static final Field QP_TS_FORMAT = D.field("qp_ts_format", 0x01e, 2);
  public static final Field L3_TYPE = D.field("l3_type", 0x08c, 4);
  public static final Field ROCE_VERSION = D.field("roce_version", 0x098, 8);
  public static final Field R_ROCE_DEST_UDP_PORT = D.field("r_roce_dest_udp_port", 0x0b0, 16);
  public static final Field R_ROCE_MAX_SRC_UDP_PORT = D.field("r_roce_max_src_udp_port", 0x0c0, 16);
  public static final Field R_ROCE_MIN_SRC_UDP_PORT = D.field("r_roce_min_src_udp_port", 0x0d0, 16);
  public static final Field ROCE_ADDRESS_TABLE_SIZE = D.field("roce_address_table_size", 0x0f0, 16);

  public static final Structure STRUCTURE = D.structure();

  private RoceCap() {}
}
