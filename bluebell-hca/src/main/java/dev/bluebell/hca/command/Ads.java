package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Address path. Mirrors {@code mlx5_ifc.h: mlx5_ifc_ads_bits} of Linux. */
public final class Ads {
  private static final Structure.Definition D = Structure.define("ads", 352);

  public static final Field FL = D.field("fl", 0x000, 1);
  public static final Field FREE_AR = D.field("free_ar", 0x001, 1);
  public static final Field PKEY_INDEX = D.field("pkey_index", 0x010, 16);
  public static final Field GRH = D.field("grh", 0x028, 1);
  public static final Field MLID = D.field("mlid", 0x029, 7);
  public static final Field RLID = D.field("rlid", 0x030, 16);
  public static final Field ACK_TIMEOUT = D.field("ack_timeout", 0x040, 5);
  public static final Field SRC_ADDR_INDEX = D.field("src_addr_index", 0x048, 8);
  public static final Field LOG_RTM = D.field("log_rtm", 0x050, 4);
  public static final Field STAT_RATE = D.field("stat_rate", 0x054, 4);
  public static final Field HOP_LIMIT = D.field("hop_limit", 0x058, 8);
  public static final Field TCLASS = D.field("tclass", 0x064, 8);
  public static final Field FLOW_LABEL = D.field("flow_label", 0x06c, 20);
  public static final Field RGID_RIP = D.field("rgid_rip", 0x080, 128);
  public static final Field F_DSCP = D.field("f_dscp", 0x104, 1);
  public static final Field F_ECN = D.field("f_ecn", 0x105, 1);
  public static final Field F_ETH_PRIO = D.field("f_eth_prio", 0x107, 1);
  public static final Field ECN = D.field("ecn", 0x108, 2);
  public static final Field DSCP = D.field("dscp", 0x10a, 6);
  public static final Field UDP_SPORT = D.field("udp_sport", 0x110, 16);
  public static final Field DEI_CFI = D.field("dei_cfi", 0x120, 1);
  public static final Field ETH_PRIO = D.field("eth_prio", 0x121, 3);
  public static final Field SL = D.field("sl", 0x124, 4);
  public static final Field VHCA_PORT_NUM = D.field("vhca_port_num", 0x128, 8);
  public static final Field RMAC_47_32 = D.field("rmac_47_32", 0x130, 16);
  public static final Field RMAC_31_0 = D.field("rmac_31_0", 0x140, 32);

  public static final Structure STRUCTURE = D.structure();

  private Ads() {}
}
