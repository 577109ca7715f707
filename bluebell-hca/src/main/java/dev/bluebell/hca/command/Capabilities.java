package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * QUERY_HCA_CAP and the capabilities that it returns; the general ones are in {@link CmdHcaCap}.
 */
public final class Capabilities {
  /** Mirrors {@code mlx5_ifc.h: mlx5_ifc_crypto_caps_bits} of rdma-core. */
  static final Structure CRYPTO_CAPS =
      Structure.define("crypto_caps", 2048)
          .with(
              """
              wrapped_crypto_operational@000 wrapped_crypto_going_to_commissioning@001
              sw_wrapped_dek@002 synchronize_dek@003 int_kek_manual@004 int_kek_auto@005
              sw_wrapped_dek_key_purpose@013 wrapped_import_method@018:8
              log_dek_max_alloc@023:5 log_max_num_deks@02b:5 log_max_num_import_keks@033:5
              log_max_num_creds@03b:5 failed_selftests@040:16 num_nv_import_keks@050:8
              num_nv_credentials@058:8 log_dek_granularity@063:5 log_max_num_int_kek@06b:5
              sw_wrapped_dek_new@070:16 crypto_mmo_qp@100 crypto_aes_gcm_256_encrypt@101
              crypto_aes_gcm_128_encrypt@102 crypto_aes_gcm_256_decrypt@103
              crypto_aes_gcm_128_decrypt@104 gcm_auth_tag_128@105 gcm_auth_tag_96@106
              log_crypto_mmo_max_size@10a:6
              """);

  /** Mirrors {@code mlx5_ifc.h: mlx5_ifc_per_protocol_networking_offload_caps_bits} of Linux. */
  static final Structure PER_PROTOCOL_NETWORKING_OFFLOAD_CAPS =
      Structure.define("per_protocol_networking_offload_caps", 2048)
          .with(
              """
              csum_cap@000 vlan_cap@001 lro_cap@002 lro_psh_flag@003 lro_time_stamp@004
              lro_max_msg_sz_mode@005:2 wqe_vlan_insert@007 self_lb_en_modifiable@008
              self_lb_mc@009 self_lb_uc@00a max_lso_cap@00b:5 multi_pkt_send_wqe@010:2
              wqe_inline_mode@012:2 rss_ind_tbl_cap@014:4 reg_umr_sq@018 scatter_fcs@019
              enhanced_multi_pkt_send_wqe@01a tunnel_lso_const_out_ip_id@01b tunnel_lro_gre@01c
              tunnel_lro_vxlan@01d tunnel_stateless_gre@01e tunnel_stateless_vxlan@01f swp@020
              swp_csum@021 swp_lso@022 cqe_checksum_full@023 tunnel_stateless_geneve_tx@024
              tunnel_stateless_mpls_over_udp@025 tunnel_stateless_mpls_over_gre@026
              tunnel_stateless_vxlan_gpe@027 tunnel_stateless_ipv4_over_vxlan@028
              tunnel_stateless_ip_over_ip@029 insert_trailer@02a tunnel_stateless_gtp@02b
              tunnel_stateless_ip_over_ip_rx@02c tunnel_stateless_ip_over_ip_tx@02d
              tunnel_stateless_vxlan_gpe_nsh@02e max_vxlan_udp_ports@030:8 max_geneve_opt_len@03e
              tunnel_stateless_geneve_rx@03f lro_min_mss_size@050:16
              lro_timer_supported_periods@180:128
              """);

  /** Mirrors {@code mlx5_ifc.h: mlx5_ifc_qos_cap_bits} of Linux. */
  static final Structure QOS_CAP =
      Structure.define("qos_cap", 2048)
          .with(
              """
              packet_pacing@000 esw_scheduling@001 esw_bw_share@002 esw_rate_limit@003
              packet_pacing_burst_bound@005 packet_pacing_typical_size@006 flow_meter_old@007
              nic_sq_scheduling@008 nic_bw_share@009 nic_rate_limit@00a packet_pacing_uid@00b
              log_esw_max_sched_depth@00c:4 log_max_flow_meter@010:8 flow_meter_reg_id@018:8
              wqe_rate_pp@020 nic_qp_scheduling@021 flow_meter@028 log_max_qos_nic_queue_group@02b:5
              packet_pacing_max_rate@040:32 packet_pacing_min_rate@060:32
              packet_pacing_rate_table_size@090:16 esw_element_type@0a0:16 esw_tsar_type@0b0:16
              max_qos_para_vport@0d0:16 max_tsar_bw_share@0e0:32 nic_element_type@100:16
              nic_tsar_type@110:16 log_meter_aso_granularity@123:5 log_meter_aso_max_alloc@12b:5
              log_max_num_meter_aso@133:5
              """);

  /** Mirrors {@code ib_mlx5_ifc.h: mlx5_ifc_odp_scheme_cap_bits} of UCX. */
  private static final Structure ODP_SCHEME_CAP =
      Structure.define("odp_scheme_cap", 512)
          .with("sig@040")
          .with("rc_odp_caps", 0x080, OdpPerTransportServiceCap.STRUCTURE)
          .with("uc_odp_caps", 0x0a0, OdpPerTransportServiceCap.STRUCTURE)
          .with("ud_odp_caps", 0x0c0, OdpPerTransportServiceCap.STRUCTURE)
          .with("xrc_odp_caps", 0x0e0, OdpPerTransportServiceCap.STRUCTURE)
          .with("dc_odp_caps", 0x100, OdpPerTransportServiceCap.STRUCTURE);

  /**
   * Input of QUERY_HCA_CAP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_cap_in_bits} of Linux.
   */
  public static final class QueryHcaCapIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("query_hca_cap_in", 128)
            .with("uid@010:16 other_function@040 function_id@050:16");

    private QueryHcaCapIn() {}
  }

  /**
   * Output of QUERY_HCA_CAP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_cap_out_bits} of Linux.
   */
  public static final class QueryHcaCapOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_hca_cap_out", 32896);
    public static final Field CAPABILITY = STRUCTURE.field("capability", 0x080, 32768);

    private QueryHcaCapOut() {}
  }

  /**
   * The structure cmd_hca_cap_2. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_hca_cap_2_bits} of Linux.
   */
  public static final class CmdHcaCap2 {
    public static final Structure STRUCTURE =
        Structure.define("cmd_hca_cap_2", 2048)
            .with(
                """
                max_num_prog_sample_field@083:5 log_max_num_reserved_qpn@08b:5
                atomic_rate_pa@090 introspection_mkey_access_allowed@091
                log_reserved_qpn_granularity@093:5 log_reserved_qpn_max_alloc@09b:5
                max_reformat_insert_size@0a0:8 max_reformat_insert_offset@0a8:8
                max_reformat_remove_size@0b0:8 max_reformat_remove_offset@0b8:8
                multi_sl_qp@0c0 non_tunnel_reformat@0c1 log_min_stride_wqe_sz@0c3:5
                log_conn_track_granularity@0cb:5 log_conn_track_max_alloc@0d3:5
                log_max_conn_track_offload@0db:5 cross_vhca_object_to_object_supported@0e0:32
                allowed_object_for_other_vhca_access_high@100:32
                allowed_object_for_other_vhca_access@120:32 introspection_mkey@140:32
                hairpin_sq_wqe_bb_size@163:5 hairpin_sq_wq_in_host_mem@168
                hairpin_data_buffer_locked@169 format_select_dw_8_6_ext@1aa
                log_min_mkey_entity_size@1ab:5 general_obj_types_127_64@1c0:64
                sw_vhca_id_valid@221 sw_vhca_id@222:14 ts_cqe_metadata_size2wqe_counter@24b:5
                flow_counter_bulk_log_max_alloc@253:5 flow_counter_bulk_log_granularity@25b:5
                format_select_dw_gtpu_dw_0@280:8 format_select_dw_gtpu_dw_1@288:8
                format_select_dw_gtpu_dw_2@290:8 format_select_dw_gtpu_first_ext_dw_0@298:8
                generate_wqe_type@2a0:32 mkey_by_name_reserve@3c0
                mkey_by_name_reserve_log_size@3c2:6 mkey_by_name_reserve_base@3c8:24
                encap_entropy_hash_type@438:4 flow_table_hash_type@43c:4
                """);
    public static final Field DP_ORDERING_FORCE = STRUCTURE.field("dp_ordering_force", 0x088, 1);

    private CmdHcaCap2() {}
  }

  /** Atomic capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_atomic_caps_bits} of Linux. */
  public static final class AtomicCaps {
    public static final Structure STRUCTURE =
        Structure.define("atomic_caps", 2048)
            .with("swap_pci_atomic@290:16 compare_swap_pci_atomic@2a0:16");
    public static final Field ATOMIC_REQ_8B_ENDIANNESS_MODE =
        STRUCTURE.field("atomic_req_8B_endianness_mode", 0x040, 2);
    public static final Field SUPPORTED_ATOMIC_REQ_8B_ENDIANNESS_MODE_1 =
        STRUCTURE.field("supported_atomic_req_8B_endianness_mode_1", 0x046, 1);
    public static final Field ATOMIC_OPERATIONS = STRUCTURE.field("atomic_operations", 0x090, 16);
    public static final Field ATOMIC_SIZE_QP = STRUCTURE.field("atomic_size_qp", 0x0b0, 16);
    public static final Field ATOMIC_SIZE_DC = STRUCTURE.field("atomic_size_dc", 0x0d0, 16);
    public static final Field FETCH_ADD_PCI_ATOMIC =
        STRUCTURE.field("fetch_add_pci_atomic", 0x280, 16);

    /**
     * atomic_operations: standard compare-and-swap, {@code device.h: MLX5_ATOMIC_OPS_CMP_SWAP} of
     * Linux.
     */
    public static final int COMPARE_SWAP = 1;

    /** atomic_operations: standard fetch-and-add, {@code MLX5_ATOMIC_OPS_FETCH_ADD}. */
    public static final int FETCH_ADD = 1 << 1;

    /**
     * atomic_operations: masked compare-and-swap, {@code MLX5_ATOMIC_OPS_EXTENDED_CMP_SWAP}; the
     * sizes are those of {@link #ATOMIC_SIZE_QP}, as a mask of bytes.
     */
    public static final int EXTENDED_COMPARE_SWAP = 1 << 2;

    /** atomic_operations: masked fetch-and-add, {@code MLX5_ATOMIC_OPS_EXTENDED_FETCH_ADD}. */
    public static final int EXTENDED_FETCH_ADD = 1 << 3;

    private AtomicCaps() {}
  }

  /**
   * Device memory capabilities (type 0xf). Mirrors {@code mlx5_ifc.h: mlx5_ifc_device_mem_cap_bits}
   * of Linux and rdma-core.
   */
  public static final class DeviceMemCap {
    public static final Structure STRUCTURE =
        Structure.define("device_mem_cap", 2048)
            .with(
                """
                steering_sw_icm_start_address@0c0:64 log_header_modify_sw_icm_size@108:8
                log_sw_icm_alloc_granularity@112:6 log_steering_sw_icm_size@118:8
                log_header_modify_pattern_sw_icm_size@138:8
                header_modify_sw_icm_start_address@140:64
                header_modify_pattern_sw_icm_start_address@1c0:64
                """);
    public static final Field MEMIC = STRUCTURE.field("memic", 0x000, 1);
    public static final Field LOG_MIN_MEMIC_ALLOC_SIZE =
        STRUCTURE.field("log_min_memic_alloc_size", 0x02b, 5);
    public static final Field LOG_MAX_MEMIC_ADDR_ALIGNMENT =
        STRUCTURE.field("log_max_memic_addr_alignment", 0x038, 8);
    public static final Field MEMIC_BAR_START_ADDR =
        STRUCTURE.field("memic_bar_start_addr", 0x040, 64);
    public static final Field MEMIC_BAR_SIZE = STRUCTURE.field("memic_bar_size", 0x080, 32);
    public static final Field MAX_MEMIC_SIZE = STRUCTURE.field("max_memic_size", 0x0a0, 32);
    public static final Field MEMIC_OPERATIONS = STRUCTURE.field("memic_operations", 0x200, 32);

    private DeviceMemCap() {}
  }

  /** The structure odp_cap. Mirrors {@code mlx5_ifc.h: mlx5_ifc_odp_cap_bits} of Linux. */
  public static final class OdpCap {
    public static final Structure STRUCTURE =
        Structure.define("odp_cap", 2048).with("sig@040 mem_page_fault@600");
    public static final Area TRANSPORT_PAGE_FAULT_SCHEME_CAP =
        STRUCTURE.area("transport_page_fault_scheme_cap", 0x000, ODP_SCHEME_CAP);
    public static final Area RC_ODP_CAPS =
        STRUCTURE.area("rc_odp_caps", 0x080, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area UC_ODP_CAPS =
        STRUCTURE.area("uc_odp_caps", 0x0a0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area UD_ODP_CAPS =
        STRUCTURE.area("ud_odp_caps", 0x0c0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area XRC_ODP_CAPS =
        STRUCTURE.area("xrc_odp_caps", 0x0e0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area DC_ODP_CAPS =
        STRUCTURE.area("dc_odp_caps", 0x100, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area MEMORY_PAGE_FAULT_SCHEME_CAP =
        STRUCTURE.area("memory_page_fault_scheme_cap", 0x200, ODP_SCHEME_CAP);

    private OdpCap() {}
  }

  /**
   * The structure odp_per_transport_service_cap. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_odp_per_transport_service_cap_bits} of Linux.
   */
  public static final class OdpPerTransportServiceCap {
    public static final Structure STRUCTURE = Structure.define("odp_per_transport_service_cap", 32);
    public static final Field SEND = STRUCTURE.field("send", 0x000, 1);
    public static final Field RECEIVE = STRUCTURE.field("receive", 0x001, 1);
    public static final Field WRITE = STRUCTURE.field("write", 0x002, 1);
    public static final Field READ = STRUCTURE.field("read", 0x003, 1);
    public static final Field ATOMIC = STRUCTURE.field("atomic", 0x004, 1);
    public static final Field SRQ_RECEIVE = STRUCTURE.field("srq_receive", 0x005, 1);

    private OdpPerTransportServiceCap() {}
  }

  /** RoCE capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_roce_cap_bits} of Linux. */
  public static final class RoceCap {
    public static final Structure STRUCTURE =
        Structure.define("roce_cap", 2048)
            .with(
                """
                roce_apm@000 sw_r_roce_src_udp_port@004 fl_rc_qp_when_roce_disabled@005
                fl_rc_qp_when_roce_enabled@006 l3_type@08c:4
                """);

    /** The formats of timestamps, {@link #REAL_TIME_ONLY} or others. */
    public static final Field QP_TS_FORMAT = STRUCTURE.field("qp_ts_format", 0x01e, 2);

    public static final Field ROCE_VERSION = STRUCTURE.field("roce_version", 0x098, 8);
    public static final Field R_ROCE_DEST_UDP_PORT =
        STRUCTURE.field("r_roce_dest_udp_port", 0x0b0, 16);
    public static final Field R_ROCE_MAX_SRC_UDP_PORT =
        STRUCTURE.field("r_roce_max_src_udp_port", 0x0c0, 16);
    public static final Field R_ROCE_MIN_SRC_UDP_PORT =
        STRUCTURE.field("r_roce_min_src_udp_port", 0x0d0, 16);
    public static final Field ROCE_ADDRESS_TABLE_SIZE =
        STRUCTURE.field("roce_address_table_size", 0x0f0, 16);

    /**
     * Value of a *_ts_format: no free-running ones, {@code MLX5_TIMESTAMP_FORMAT_CAP_REAL_TIME}.
     */
    public static final int REAL_TIME_ONLY = 1;

    private RoceCap() {}
  }

  private Capabilities() {}
}
