package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure per_protocol_networking_offload_caps. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_per_protocol_networking_offload_caps_bits} of Linux.
 */
public final class PerProtocolNetworkingOffloadCaps {
  private static final Structure.Definition D =
      Structure.define("per_protocol_networking_offload_caps", 2048);

  public static final Field CSUM_CAP = D.field("csum_cap", 0x000, 1);
  public static final Field VLAN_CAP = D.field("vlan_cap", 0x001, 1);
  public static final Field LRO_CAP = D.field("lro_cap", 0x002, 1);
  public static final Field LRO_PSH_FLAG = D.field("lro_psh_flag", 0x003, 1);
  public static final Field LRO_TIME_STAMP = D.field("lro_time_stamp", 0x004, 1);
  public static final Field LRO_MAX_MSG_SZ_MODE = D.field("lro_max_msg_sz_mode", 0x005, 2);
  public static final Field WQE_VLAN_INSERT = D.field("wqe_vlan_insert", 0x007, 1);
  public static final Field SELF_LB_EN_MODIFIABLE = D.field("self_lb_en_modifiable", 0x008, 1);
  public static final Field SELF_LB_MC = D.field("self_lb_mc", 0x009, 1);
  public static final Field SELF_LB_UC = D.field("self_lb_uc", 0x00a, 1);
  public static final Field MAX_LSO_CAP = D.field("max_lso_cap", 0x00b, 5);
  public static final Field MULTI_PKT_SEND_WQE = D.field("multi_pkt_send_wqe", 0x010, 2);
  public static final Field WQE_INLINE_MODE = D.field("wqe_inline_mode", 0x012, 2);
  public static final Field RSS_IND_TBL_CAP = D.field("rss_ind_tbl_cap", 0x014, 4);
  public static final Field REG_UMR_SQ = D.field("reg_umr_sq", 0x018, 1);
  public static final Field SCATTER_FCS = D.field("scatter_fcs", 0x019, 1);
  public static final Field ENHANCED_MULTI_PKT_SEND_WQE =
      D.field("enhanced_multi_pkt_send_wqe", 0x01a, 1);
  public static final Field TUNNEL_LSO_CONST_OUT_IP_ID =
      D.field("tunnel_lso_const_out_ip_id", 0x01b, 1);
  public static final Field TUNNEL_LRO_GRE = D.field("tunnel_lro_gre", 0x01c, 1);
  public static final Field TUNNEL_LRO_VXLAN = D.field("tunnel_lro_vxlan", 0x01d, 1);
  public static final Field TUNNEL_STATELESS_GRE = D.field("tunnel_stateless_gre", 0x01e, 1);
  public static final Field TUNNEL_STATELESS_VXLAN = D.field("tunnel_stateless_vxlan", 0x01f, 1);
  public static final Field SWP = D.field("swp", 0x020, 1);
  public static final Field SWP_CSUM = D.field("swp_csum", 0x021, 1);
  public static final Field SWP_LSO = D.field("swp_lso", 0x022, 1);
  public static final Field CQE_CHECKSUM_FULL = D.field("cqe_checksum_full", 0x023, 1);
  public static final Field TUNNEL_STATELESS_GENEVE_TX =
      D.field("tunnel_stateless_geneve_tx", 0x024, 1);
  public static final Field TUNNEL_STATELESS_MPLS_OVER_UDP =
      D.field("tunnel_stateless_mpls_over_udp", 0x025, 1);
  public static final Field TUNNEL_STATELESS_MPLS_OVER_GRE =
      D.field("tunnel_stateless_mpls_over_gre", 0x026, 1);
  public static final Field TUNNEL_STATELESS_VXLAN_GPE =
      D.field("tunnel_stateless_vxlan_gpe", 0x027, 1);
  public static final Field TUNNEL_STATELESS_IPV4_OVER_VXLAN =
      D.field("tunnel_stateless_ipv4_over_vxlan", 0x028, 1);
  public static final Field TUNNEL_STATELESS_IP_OVER_IP =
      D.field("tunnel_stateless_ip_over_ip", 0x029, 1);
  public static final Field INSERT_TRAILER = D.field("insert_trailer", 0x02a, 1);
  public static final Field TUNNEL_STATELESS_GTP = D.field("tunnel_stateless_gtp", 0x02b, 1);
  public static final Field TUNNEL_STATELESS_IP_OVER_IP_RX =
      D.field("tunnel_stateless_ip_over_ip_rx", 0x02c, 1);
  public static final Field TUNNEL_STATELESS_IP_OVER_IP_TX =
      D.field("tunnel_stateless_ip_over_ip_tx", 0x02d, 1);
  public static final Field TUNNEL_STATELESS_VXLAN_GPE_NSH =
      D.field("tunnel_stateless_vxlan_gpe_nsh", 0x02e, 1);
  public static final Field MAX_VXLAN_UDP_PORTS = D.field("max_vxlan_udp_ports", 0x030, 8);
  public static final Field MAX_GENEVE_OPT_LEN = D.field("max_geneve_opt_len", 0x03e, 1);
  public static final Field TUNNEL_STATELESS_GENEVE_RX =
      D.field("tunnel_stateless_geneve_rx", 0x03f, 1);
  public static final Field LRO_MIN_MSS_SIZE = D.field("lro_min_mss_size", 0x050, 16);
  public static final Field LRO_TIMER_SUPPORTED_PERIODS =
      D.field("lro_timer_supported_periods", 0x180, 128);

  public static final Structure STRUCTURE = D.structure();

  private PerProtocolNetworkingOffloadCaps() {}
}
