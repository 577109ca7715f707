package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * QUERY_HCA_CAP and the capabilities that it returns; the general ones are in {@link CmdHcaCap}.
 */
public final class Capabilities {
  /**
   * Input of QUERY_HCA_CAP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_cap_in_bits} of Linux.
   */
  public static final class QueryHcaCapIn {
    private static final Structure.Definition D = CommandHeaders.input("query_hca_cap_in", 128);

    public static final Field UID = D.field("uid", 0x010, 16);
    public static final Field OTHER_FUNCTION = D.field("other_function", 0x040, 1);
    public static final Field FUNCTION_ID = D.field("function_id", 0x050, 16);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaCapIn() {}
  }

  /**
   * Output of QUERY_HCA_CAP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_cap_out_bits} of Linux.
   */
  public static final class QueryHcaCapOut {
    private static final Structure.Definition D = CommandHeaders.output("query_hca_cap_out", 32896);

    public static final Field CAPABILITY = D.field("capability", 0x080, 32768);

    public static final Structure STRUCTURE = D.structure();

    private QueryHcaCapOut() {}
  }

  /**
   * The structure cmd_hca_cap_2. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_hca_cap_2_bits} of Linux.
   */
  public static final class CmdHcaCap2 {
    private static final Structure.Definition D = Structure.define("cmd_hca_cap_2", 2048);

    public static final Field MAX_NUM_PROG_SAMPLE_FIELD =
        D.field("max_num_prog_sample_field", 0x083, 5);
    public static final Field DP_ORDERING_FORCE = D.field("dp_ordering_force", 0x088, 1);
    public static final Field LOG_MAX_NUM_RESERVED_QPN =
        D.field("log_max_num_reserved_qpn", 0x08b, 5);
    public static final Field ATOMIC_RATE_PA = D.field("atomic_rate_pa", 0x090, 1);
    public static final Field INTROSPECTION_MKEY_ACCESS_ALLOWED =
        D.field("introspection_mkey_access_allowed", 0x091, 1);
    public static final Field LOG_RESERVED_QPN_GRANULARITY =
        D.field("log_reserved_qpn_granularity", 0x093, 5);
    public static final Field LOG_RESERVED_QPN_MAX_ALLOC =
        D.field("log_reserved_qpn_max_alloc", 0x09b, 5);
    public static final Field MAX_REFORMAT_INSERT_SIZE =
        D.field("max_reformat_insert_size", 0x0a0, 8);
    public static final Field MAX_REFORMAT_INSERT_OFFSET =
        D.field("max_reformat_insert_offset", 0x0a8, 8);
    public static final Field MAX_REFORMAT_REMOVE_SIZE =
        D.field("max_reformat_remove_size", 0x0b0, 8);
    public static final Field MAX_REFORMAT_REMOVE_OFFSET =
        D.field("max_reformat_remove_offset", 0x0b8, 8);
    public static final Field MULTI_SL_QP = D.field("multi_sl_qp", 0x0c0, 1);
    public static final Field NON_TUNNEL_REFORMAT = D.field("non_tunnel_reformat", 0x0c1, 1);
    public static final Field LOG_MIN_STRIDE_WQE_SZ = D.field("log_min_stride_wqe_sz", 0x0c3, 5);
    public static final Field LOG_CONN_TRACK_GRANULARITY =
        D.field("log_conn_track_granularity", 0x0cb, 5);
    public static final Field LOG_CONN_TRACK_MAX_ALLOC =
        D.field("log_conn_track_max_alloc", 0x0d3, 5);
    public static final Field LOG_MAX_CONN_TRACK_OFFLOAD =
        D.field("log_max_conn_track_offload", 0x0db, 5);
    public static final Field CROSS_VHCA_OBJECT_TO_OBJECT_SUPPORTED =
        D.field("cross_vhca_object_to_object_supported", 0x0e0, 32);
    public static final Field ALLOWED_OBJECT_FOR_OTHER_VHCA_ACCESS_HIGH =
        D.field("allowed_object_for_other_vhca_access_high", 0x100, 32);
    public static final Field ALLOWED_OBJECT_FOR_OTHER_VHCA_ACCESS =
        D.field("allowed_object_for_other_vhca_access", 0x120, 32);
    public static final Field INTROSPECTION_MKEY = D.field("introspection_mkey", 0x140, 32);
    public static final Field HAIRPIN_SQ_WQE_BB_SIZE = D.field("hairpin_sq_wqe_bb_size", 0x163, 5);
    public static final Field HAIRPIN_SQ_WQ_IN_HOST_MEM =
        D.field("hairpin_sq_wq_in_host_mem", 0x168, 1);
    public static final Field HAIRPIN_DATA_BUFFER_LOCKED =
        D.field("hairpin_data_buffer_locked", 0x169, 1);
    public static final Field FORMAT_SELECT_DW_8_6_EXT =
        D.field("format_select_dw_8_6_ext", 0x1aa, 1);
    public static final Field LOG_MIN_MKEY_ENTITY_SIZE =
        D.field("log_min_mkey_entity_size", 0x1ab, 5);
    public static final Field GENERAL_OBJ_TYPES_127_64 =
        D.field("general_obj_types_127_64", 0x1c0, 64);
    public static final Field SW_VHCA_ID_VALID = D.field("sw_vhca_id_valid", 0x221, 1);
    public static final Field SW_VHCA_ID = D.field("sw_vhca_id", 0x222, 14);
    public static final Field TS_CQE_METADATA_SIZE2WQE_COUNTER =
        D.field("ts_cqe_metadata_size2wqe_counter", 0x24b, 5);
    public static final Field FLOW_COUNTER_BULK_LOG_MAX_ALLOC =
        D.field("flow_counter_bulk_log_max_alloc", 0x253, 5);
    public static final Field FLOW_COUNTER_BULK_LOG_GRANULARITY =
        D.field("flow_counter_bulk_log_granularity", 0x25b, 5);
    public static final Field FORMAT_SELECT_DW_GTPU_DW_0 =
        D.field("format_select_dw_gtpu_dw_0", 0x280, 8);
    public static final Field FORMAT_SELECT_DW_GTPU_DW_1 =
        D.field("format_select_dw_gtpu_dw_1", 0x288, 8);
    public static final Field FORMAT_SELECT_DW_GTPU_DW_2 =
        D.field("format_select_dw_gtpu_dw_2", 0x290, 8);
    public static final Field FORMAT_SELECT_DW_GTPU_FIRST_EXT_DW_0 =
        D.field("format_select_dw_gtpu_first_ext_dw_0", 0x298, 8);
    public static final Field GENERATE_WQE_TYPE = D.field("generate_wqe_type", 0x2a0, 32);
    public static final Field MKEY_BY_NAME_RESERVE = D.field("mkey_by_name_reserve", 0x3c0, 1);
    public static final Field MKEY_BY_NAME_RESERVE_LOG_SIZE =
        D.field("mkey_by_name_reserve_log_size", 0x3c2, 6);
    public static final Field MKEY_BY_NAME_RESERVE_BASE =
        D.field("mkey_by_name_reserve_base", 0x3c8, 24);
    public static final Field ENCAP_ENTROPY_HASH_TYPE =
        D.field("encap_entropy_hash_type", 0x438, 4);
    public static final Field FLOW_TABLE_HASH_TYPE = D.field("flow_table_hash_type", 0x43c, 4);

    public static final Structure STRUCTURE = D.structure();

    private CmdHcaCap2() {}
  }

  /** Atomic capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_atomic_caps_bits} of Linux. */
  public static final class AtomicCaps {
    private static final Structure.Definition D = Structure.define("atomic_caps", 2048);

    public static final Field ATOMIC_REQ_8B_ENDIANNESS_MODE =
        D.field("atomic_req_8B_endianness_mode", 0x040, 2);
    public static final Field SUPPORTED_ATOMIC_REQ_8B_ENDIANNESS_MODE_1 =
        D.field("supported_atomic_req_8B_endianness_mode_1", 0x046, 1);
    public static final Field ATOMIC_OPERATIONS = D.field("atomic_operations", 0x090, 16);
    public static final Field ATOMIC_SIZE_QP = D.field("atomic_size_qp", 0x0b0, 16);
    public static final Field ATOMIC_SIZE_DC = D.field("atomic_size_dc", 0x0d0, 16);
    public static final Field FETCH_ADD_PCI_ATOMIC = D.field("fetch_add_pci_atomic", 0x280, 16);
    public static final Field SWAP_PCI_ATOMIC = D.field("swap_pci_atomic", 0x290, 16);
    public static final Field COMPARE_SWAP_PCI_ATOMIC =
        D.field("compare_swap_pci_atomic", 0x2a0, 16);

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

    public static final Structure STRUCTURE = D.structure();

    private AtomicCaps() {}
  }

  /**
   * The structure crypto_caps. Mirrors {@code mlx5_ifc.h: mlx5_ifc_crypto_caps_bits} of rdma-core.
   */
  public static final class CryptoCaps {
    private static final Structure.Definition D = Structure.define("crypto_caps", 2048);

    public static final Field WRAPPED_CRYPTO_OPERATIONAL =
        D.field("wrapped_crypto_operational", 0x000, 1);
    public static final Field WRAPPED_CRYPTO_GOING_TO_COMMISSIONING =
        D.field("wrapped_crypto_going_to_commissioning", 0x001, 1);
    public static final Field SW_WRAPPED_DEK = D.field("sw_wrapped_dek", 0x002, 1);
    public static final Field SYNCHRONIZE_DEK = D.field("synchronize_dek", 0x003, 1);
    public static final Field INT_KEK_MANUAL = D.field("int_kek_manual", 0x004, 1);
    public static final Field INT_KEK_AUTO = D.field("int_kek_auto", 0x005, 1);
    public static final Field SW_WRAPPED_DEK_KEY_PURPOSE =
        D.field("sw_wrapped_dek_key_purpose", 0x013, 1);
    public static final Field WRAPPED_IMPORT_METHOD = D.field("wrapped_import_method", 0x018, 8);
    public static final Field LOG_DEK_MAX_ALLOC = D.field("log_dek_max_alloc", 0x023, 5);
    public static final Field LOG_MAX_NUM_DEKS = D.field("log_max_num_deks", 0x02b, 5);
    public static final Field LOG_MAX_NUM_IMPORT_KEKS =
        D.field("log_max_num_import_keks", 0x033, 5);
    public static final Field LOG_MAX_NUM_CREDS = D.field("log_max_num_creds", 0x03b, 5);
    public static final Field FAILED_SELFTESTS = D.field("failed_selftests", 0x040, 16);
    public static final Field NUM_NV_IMPORT_KEKS = D.field("num_nv_import_keks", 0x050, 8);
    public static final Field NUM_NV_CREDENTIALS = D.field("num_nv_credentials", 0x058, 8);
    public static final Field LOG_DEK_GRANULARITY = D.field("log_dek_granularity", 0x063, 5);
    public static final Field LOG_MAX_NUM_INT_KEK = D.field("log_max_num_int_kek", 0x06b, 5);
    public static final Field SW_WRAPPED_DEK_NEW = D.field("sw_wrapped_dek_new", 0x070, 16);
    public static final Field CRYPTO_MMO_QP = D.field("crypto_mmo_qp", 0x100, 1);
    public static final Field CRYPTO_AES_GCM_256_ENCRYPT =
        D.field("crypto_aes_gcm_256_encrypt", 0x101, 1);
    public static final Field CRYPTO_AES_GCM_128_ENCRYPT =
        D.field("crypto_aes_gcm_128_encrypt", 0x102, 1);
    public static final Field CRYPTO_AES_GCM_256_DECRYPT =
        D.field("crypto_aes_gcm_256_decrypt", 0x103, 1);
    public static final Field CRYPTO_AES_GCM_128_DECRYPT =
        D.field("crypto_aes_gcm_128_decrypt", 0x104, 1);
    public static final Field GCM_AUTH_TAG_128 = D.field("gcm_auth_tag_128", 0x105, 1);
    public static final Field GCM_AUTH_TAG_96 = D.field("gcm_auth_tag_96", 0x106, 1);
    public static final Field LOG_CRYPTO_MMO_MAX_SIZE =
        D.field("log_crypto_mmo_max_size", 0x10a, 6);

    public static final Structure STRUCTURE = D.structure();

    private CryptoCaps() {}
  }

  /**
   * Device memory capabilities (type 0xf). Mirrors {@code mlx5_ifc.h: mlx5_ifc_device_mem_cap_bits}
   * of Linux and rdma-core.
   */
  public static final class DeviceMemCap {
    private static final Structure.Definition D = Structure.define("device_mem_cap", 2048);

    public static final Field MEMIC = D.field("memic", 0x000, 1);
    public static final Field LOG_MIN_MEMIC_ALLOC_SIZE =
        D.field("log_min_memic_alloc_size", 0x02b, 5);
    public static final Field LOG_MAX_MEMIC_ADDR_ALIGNMENT =
        D.field("log_max_memic_addr_alignment", 0x038, 8);
    public static final Field MEMIC_BAR_START_ADDR = D.field("memic_bar_start_addr", 0x040, 64);
    public static final Field MEMIC_BAR_SIZE = D.field("memic_bar_size", 0x080, 32);
    public static final Field MAX_MEMIC_SIZE = D.field("max_memic_size", 0x0a0, 32);
    public static final Field STEERING_SW_ICM_START_ADDRESS =
        D.field("steering_sw_icm_start_address", 0x0c0, 64);
    public static final Field LOG_HEADER_MODIFY_SW_ICM_SIZE =
        D.field("log_header_modify_sw_icm_size", 0x108, 8);
    public static final Field LOG_SW_ICM_ALLOC_GRANULARITY =
        D.field("log_sw_icm_alloc_granularity", 0x112, 6);
    public static final Field LOG_STEERING_SW_ICM_SIZE =
        D.field("log_steering_sw_icm_size", 0x118, 8);
    public static final Field LOG_HEADER_MODIFY_PATTERN_SW_ICM_SIZE =
        D.field("log_header_modify_pattern_sw_icm_size", 0x138, 8);
    public static final Field HEADER_MODIFY_SW_ICM_START_ADDRESS =
        D.field("header_modify_sw_icm_start_address", 0x140, 64);
    public static final Field HEADER_MODIFY_PATTERN_SW_ICM_START_ADDRESS =
        D.field("header_modify_pattern_sw_icm_start_address", 0x1c0, 64);
    public static final Field MEMIC_OPERATIONS = D.field("memic_operations", 0x200, 32);

    public static final Structure STRUCTURE = D.structure();

    private DeviceMemCap() {}
  }

  /** The structure odp_cap. Mirrors {@code mlx5_ifc.h: mlx5_ifc_odp_cap_bits} of Linux. */
  public static final class OdpCap {
    private static final Structure.Definition D = Structure.define("odp_cap", 2048);

    public static final Area TRANSPORT_PAGE_FAULT_SCHEME_CAP =
        D.area("transport_page_fault_scheme_cap", 0x000, OdpSchemeCap.STRUCTURE);
    public static final Field SIG = D.field("sig", 0x040, 1);
    public static final Area RC_ODP_CAPS =
        D.area("rc_odp_caps", 0x080, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area UC_ODP_CAPS =
        D.area("uc_odp_caps", 0x0a0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area UD_ODP_CAPS =
        D.area("ud_odp_caps", 0x0c0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area XRC_ODP_CAPS =
        D.area("xrc_odp_caps", 0x0e0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area DC_ODP_CAPS =
        D.area("dc_odp_caps", 0x100, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area MEMORY_PAGE_FAULT_SCHEME_CAP =
        D.area("memory_page_fault_scheme_cap", 0x200, OdpSchemeCap.STRUCTURE);
    public static final Field MEM_PAGE_FAULT = D.field("mem_page_fault", 0x600, 1);

    public static final Structure STRUCTURE = D.structure();

    private OdpCap() {}
  }

  /**
   * The structure odp_per_transport_service_cap. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_odp_per_transport_service_cap_bits} of Linux.
   */
  public static final class OdpPerTransportServiceCap {
    private static final Structure.Definition D =
        Structure.define("odp_per_transport_service_cap", 32);

    public static final Field SEND = D.field("send", 0x000, 1);
    public static final Field RECEIVE = D.field("receive", 0x001, 1);
    public static final Field WRITE = D.field("write", 0x002, 1);
    public static final Field READ = D.field("read", 0x003, 1);
    public static final Field ATOMIC = D.field("atomic", 0x004, 1);
    public static final Field SRQ_RECEIVE = D.field("srq_receive", 0x005, 1);

    public static final Structure STRUCTURE = D.structure();

    private OdpPerTransportServiceCap() {}
  }

  /**
   * The structure odp_scheme_cap. Mirrors {@code ib_mlx5_ifc.h: mlx5_ifc_odp_scheme_cap_bits} of
   * UCX.
   */
  public static final class OdpSchemeCap {
    private static final Structure.Definition D = Structure.define("odp_scheme_cap", 512);

    public static final Field SIG = D.field("sig", 0x040, 1);
    public static final Area RC_ODP_CAPS =
        D.area("rc_odp_caps", 0x080, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area UC_ODP_CAPS =
        D.area("uc_odp_caps", 0x0a0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area UD_ODP_CAPS =
        D.area("ud_odp_caps", 0x0c0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area XRC_ODP_CAPS =
        D.area("xrc_odp_caps", 0x0e0, OdpPerTransportServiceCap.STRUCTURE);
    public static final Area DC_ODP_CAPS =
        D.area("dc_odp_caps", 0x100, OdpPerTransportServiceCap.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private OdpSchemeCap() {}
  }

  /**
   * The structure per_protocol_networking_offload_caps. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_per_protocol_networking_offload_caps_bits} of Linux.
   */
  public static final class PerProtocolNetworkingOffloadCaps {
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

  /** The structure qos_cap. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qos_cap_bits} of Linux. */
  public static final class QosCap {
    private static final Structure.Definition D = Structure.define("qos_cap", 2048);

    public static final Field PACKET_PACING = D.field("packet_pacing", 0x000, 1);
    public static final Field ESW_SCHEDULING = D.field("esw_scheduling", 0x001, 1);
    public static final Field ESW_BW_SHARE = D.field("esw_bw_share", 0x002, 1);
    public static final Field ESW_RATE_LIMIT = D.field("esw_rate_limit", 0x003, 1);
    public static final Field PACKET_PACING_BURST_BOUND =
        D.field("packet_pacing_burst_bound", 0x005, 1);
    public static final Field PACKET_PACING_TYPICAL_SIZE =
        D.field("packet_pacing_typical_size", 0x006, 1);
    public static final Field FLOW_METER_OLD = D.field("flow_meter_old", 0x007, 1);
    public static final Field NIC_SQ_SCHEDULING = D.field("nic_sq_scheduling", 0x008, 1);
    public static final Field NIC_BW_SHARE = D.field("nic_bw_share", 0x009, 1);
    public static final Field NIC_RATE_LIMIT = D.field("nic_rate_limit", 0x00a, 1);
    public static final Field PACKET_PACING_UID = D.field("packet_pacing_uid", 0x00b, 1);
    public static final Field LOG_ESW_MAX_SCHED_DEPTH =
        D.field("log_esw_max_sched_depth", 0x00c, 4);
    public static final Field LOG_MAX_FLOW_METER = D.field("log_max_flow_meter", 0x010, 8);
    public static final Field FLOW_METER_REG_ID = D.field("flow_meter_reg_id", 0x018, 8);
    public static final Field WQE_RATE_PP = D.field("wqe_rate_pp", 0x020, 1);
    public static final Field NIC_QP_SCHEDULING = D.field("nic_qp_scheduling", 0x021, 1);
    public static final Field FLOW_METER = D.field("flow_meter", 0x028, 1);
    public static final Field LOG_MAX_QOS_NIC_QUEUE_GROUP =
        D.field("log_max_qos_nic_queue_group", 0x02b, 5);
    public static final Field PACKET_PACING_MAX_RATE = D.field("packet_pacing_max_rate", 0x040, 32);
    public static final Field PACKET_PACING_MIN_RATE = D.field("packet_pacing_min_rate", 0x060, 32);
    public static final Field PACKET_PACING_RATE_TABLE_SIZE =
        D.field("packet_pacing_rate_table_size", 0x090, 16);
    public static final Field ESW_ELEMENT_TYPE = D.field("esw_element_type", 0x0a0, 16);
    public static final Field ESW_TSAR_TYPE = D.field("esw_tsar_type", 0x0b0, 16);
    public static final Field MAX_QOS_PARA_VPORT = D.field("max_qos_para_vport", 0x0d0, 16);
    public static final Field MAX_TSAR_BW_SHARE = D.field("max_tsar_bw_share", 0x0e0, 32);
    public static final Field NIC_ELEMENT_TYPE = D.field("nic_element_type", 0x100, 16);
    public static final Field NIC_TSAR_TYPE = D.field("nic_tsar_type", 0x110, 16);
    public static final Field LOG_METER_ASO_GRANULARITY =
        D.field("log_meter_aso_granularity", 0x123, 5);
    public static final Field LOG_METER_ASO_MAX_ALLOC =
        D.field("log_meter_aso_max_alloc", 0x12b, 5);
    public static final Field LOG_MAX_NUM_METER_ASO = D.field("log_max_num_meter_aso", 0x133, 5);

    public static final Structure STRUCTURE = D.structure();

    private QosCap() {}
  }

  /** RoCE capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_roce_cap_bits} of Linux. */
  public static final class RoceCap {
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
    public static final Field R_ROCE_MAX_SRC_UDP_PORT =
        D.field("r_roce_max_src_udp_port", 0x0c0, 16);
    public static final Field R_ROCE_MIN_SRC_UDP_PORT =
        D.field("r_roce_min_src_udp_port", 0x0d0, 16);
    public static final Field ROCE_ADDRESS_TABLE_SIZE =
        D.field("roce_address_table_size", 0x0f0, 16);

    public static final Structure STRUCTURE = D.structure();

    private RoceCap() {}
  }

  private Capabilities() {}
}
