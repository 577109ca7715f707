package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** General device capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_hca_cap_bits} of Linux. */
public final class CmdHcaCap {
  private static final Structure.Definition D = Structure.define("cmd_hca_cap", 2048);

  public static final Field ACCESS_OTHER_HCA_ROCE = D.field("access_other_hca_roce", 0x000, 1);
  public static final Field ALLOC_FLOW_COUNTER_PD = D.field("alloc_flow_counter_pd", 0x001, 1);
  public static final Field FLOW_COUNTER_ACCESS_ASO = D.field("flow_counter_access_aso", 0x002, 1);
  public static final Field QUERY_MATCH_SAMPLE_INFO = D.field("query_match_sample_info", 0x003, 1);
  public static final Field FLOW_ACCESS_ASO_OPC_MOD = D.field("flow_access_aso_opc_mod", 0x008, 8);
  public static final Field SHARED_OBJECT_TO_USER_OBJECT_ALLOWED =
      D.field("shared_object_to_user_object_allowed", 0x010, 1);
  public static final Field VHCA_RESOURCE_MANAGER = D.field("vhca_resource_manager", 0x01f, 1);
  public static final Field HCA_CAP_2 = D.field("hca_cap_2", 0x020, 1);
  public static final Field CREATE_LAG_WHEN_NOT_MASTER_UP =
      D.field("create_lag_when_not_master_up", 0x021, 1);
  public static final Field DTOR = D.field("dtor", 0x022, 1);
  public static final Field EVENT_ON_VHCA_STATE_TEARDOWN_REQUEST =
      D.field("event_on_vhca_state_teardown_request", 0x023, 1);
  public static final Field EVENT_ON_VHCA_STATE_IN_USE =
      D.field("event_on_vhca_state_in_use", 0x024, 1);
  public static final Field EVENT_ON_VHCA_STATE_ACTIVE =
      D.field("event_on_vhca_state_active", 0x025, 1);
  public static final Field EVENT_ON_VHCA_STATE_ALLOCATED =
      D.field("event_on_vhca_state_allocated", 0x026, 1);
  public static final Field EVENT_ON_VHCA_STATE_INVALID =
      D.field("event_on_vhca_state_invalid", 0x027, 1);
  public static final Field VHCA_ID = D.field("vhca_id", 0x030, 16);
  public static final Field QP_DATA_IN_ORDER = D.field("qp_data_in_order", 0x062, 1);
  public static final Field LOG_REGEXP_SCATTER_GATHER_SIZE =
      D.field("log_regexp_scatter_gather_size", 0x063, 5);
  public static final Field LOG_DMA_MMO_MAX_SIZE = D.field("log_dma_mmo_max_size", 0x06b, 5);
  public static final Field LOG_COMPRESS_MMO_SIZE = D.field("log_compress_mmo_size", 0x073, 5);
  public static final Field DECOMPRESS_LZ4_DATA_ONLY_V2 =
      D.field("decompress_lz4_data_only_v2", 0x078, 1);
  public static final Field DECOMPRESS_LZ4_NO_CHECKSUM_V2 =
      D.field("decompress_lz4_no_checksum_v2", 0x079, 1);
  public static final Field DECOMPRESS_LZ4_CHECKSUM_V2 =
      D.field("decompress_lz4_checksum_v2", 0x07a, 1);
  public static final Field LOG_DECOMPRESS_MMO_SIZE = D.field("log_decompress_mmo_size", 0x07b, 5);
  public static final Field LOG_MAX_SRQ_SZ = D.field("log_max_srq_sz", 0x080, 8);
  public static final Field LOG_MAX_QP_SZ = D.field("log_max_qp_sz", 0x088, 8);
  public static final Field EVENT_CAP = D.field("event_cap", 0x090, 1);
  public static final Field ISOLATE_VL_TC_NEW = D.field("isolate_vl_tc_new", 0x093, 1);
  public static final Field PRIO_TAG_REQUIRED = D.field("prio_tag_required", 0x098, 1);
  public static final Field WQE_INDEX_IGNORE_CAP = D.field("wqe_index_ignore_cap", 0x099, 1);
  public static final Field DYNAMIC_QP_ALLOCATION = D.field("dynamic_qp_allocation", 0x09a, 1);
  public static final Field LOG_MAX_QP = D.field("log_max_qp", 0x09b, 5);
  public static final Field ECE_SUPPORT = D.field("ece_support", 0x0a3, 1);
  public static final Field REGEXP_NUM_OF_ENGINES = D.field("regexp_num_of_engines", 0x0a4, 4);
  public static final Field REG_C_PRESERVE = D.field("reg_c_preserve", 0x0a9, 1);
  public static final Field LOG_MAX_SRQ = D.field("log_max_srq", 0x0ab, 5);
  public static final Field UPLINK_FOLLOW = D.field("uplink_follow", 0x0b1, 1);
  public static final Field TS_CQE_TO_DEST_CQN = D.field("ts_cqe_to_dest_cqn", 0x0b2, 1);
  public static final Field SHAMPO = D.field("shampo", 0x0ba, 1);
  public static final Field SCATTER_FCS_W_DECAP_DISABLE =
      D.field("scatter_fcs_w_decap_disable", 0x0bb, 1);
  public static final Field MAX_SGL_FOR_OPTIMIZED_PERFORMANCE =
      D.field("max_sgl_for_optimized_performance", 0x0c0, 8);
  public static final Field LOG_MAX_CQ_SZ = D.field("log_max_cq_sz", 0x0c8, 8);
  public static final Field RELAXED_ORDERING_WRITE_UMR =
      D.field("relaxed_ordering_write_umr", 0x0d0, 1);
  public static final Field RELAXED_ORDERING_READ_UMR =
      D.field("relaxed_ordering_read_umr", 0x0d1, 1);
  public static final Field ACCESS_REGISTER_USER = D.field("access_register_user", 0x0d2, 1);
  public static final Field VIRTIO_NET_DEVICE_EMUALTION_MANAGER =
      D.field("virtio_net_device_emualtion_manager", 0x0d9, 1);
  public static final Field VIRTIO_BLK_DEVICE_EMUALTION_MANAGER =
      D.field("virtio_blk_device_emualtion_manager", 0x0da, 1);
  public static final Field LOG_MAX_CQ = D.field("log_max_cq", 0x0db, 5);
  public static final Field LOG_MAX_EQ_SZ = D.field("log_max_eq_sz", 0x0e0, 8);
  public static final Field RELAXED_ORDERING_WRITE = D.field("relaxed_ordering_write", 0x0e8, 1);
  public static final Field RELAXED_ORDERING_READ = D.field("relaxed_ordering_read", 0x0e9, 1);
  public static final Field LOG_MAX_MKEY = D.field("log_max_mkey", 0x0ea, 6);
  public static final Field TUNNELED_ATOMIC = D.field("tunneled_atomic", 0x0f0, 1);
  public static final Field AS_NOTIFY = D.field("as_notify", 0x0f1, 1);
  public static final Field M_PCI_PORT = D.field("m_pci_port", 0x0f2, 1);
  public static final Field M_VHCA_MK = D.field("m_vhca_mk", 0x0f3, 1);
  public static final Field CMD_ON_BEHALF = D.field("cmd_on_behalf", 0x0f4, 1);
  public static final Field DEVICE_EMULATION_MANAGER =
      D.field("device_emulation_manager", 0x0f5, 1);
  public static final Field TERMINATE_SCATTER_LIST_MKEY =
      D.field("terminate_scatter_list_mkey", 0x0f6, 1);
  public static final Field REPEATED_MKEY = D.field("repeated_mkey", 0x0f7, 1);
  public static final Field DUMP_FILL_MKEY = D.field("dump_fill_mkey", 0x0f8, 1);
  public static final Field FAST_TEARDOWN = D.field("fast_teardown", 0x0fb, 1);
  public static final Field LOG_MAX_EQ = D.field("log_max_eq", 0x0fc, 4);
  public static final Field MAX_INDIRECTION = D.field("max_indirection", 0x100, 8);
  public static final Field FIXED_BUFFER_SIZE = D.field("fixed_buffer_size", 0x108, 1);
  public static final Field LOG_MAX_MRW_SZ = D.field("log_max_mrw_sz", 0x109, 7);
  public static final Field FORCE_TEARDOWN = D.field("force_teardown", 0x110, 1);
  public static final Field LOG_MAX_BSF_LIST_SIZE = D.field("log_max_bsf_list_size", 0x112, 6);
  public static final Field UMR_EXTENDED_TRANSLATION_OFFSET =
      D.field("umr_extended_translation_offset", 0x118, 1);
  public static final Field NULL_MKEY = D.field("null_mkey", 0x119, 1);
  public static final Field LOG_MAX_KLM_LIST_SIZE = D.field("log_max_klm_list_size", 0x11a, 6);
  public static final Field NON_WIRE_SQ = D.field("non_wire_sq", 0x120, 1);
  public static final Field QPC_EXTENSION = D.field("qpc_extension", 0x122, 1);
  public static final Field LOG_MAX_RA_REQ_DC = D.field("log_max_ra_req_dc", 0x12a, 6);
  public static final Field ETH_WQE_TOO_SMALL = D.field("eth_wqe_too_small", 0x132, 1);
  public static final Field LOG_MAX_STATIC_SQ_WQ = D.field("log_max_static_sq_wq", 0x133, 5);
  public static final Field OOO_SL_MASK = D.field("ooo_sl_mask", 0x138, 1);
  public static final Field VNIC_ENV_CQ_OVERRUN = D.field("vnic_env_cq_overrun", 0x139, 1);
  public static final Field LOG_MAX_RA_RES_DC = D.field("log_max_ra_res_dc", 0x13a, 6);
  public static final Field RELEASE_ALL_PAGES = D.field("release_all_pages", 0x145, 1);
  public static final Field MUST_NOT_USE = D.field("must_not_use", 0x146, 1);
  public static final Field SIG_CRC64_XP10 = D.field("sig_crc64_xp10", 0x147, 1);
  public static final Field SIG_CRC32C = D.field("sig_crc32c", 0x148, 1);
  public static final Field ROCE_ACCL = D.field("roce_accl", 0x149, 1);
  public static final Field LOG_MAX_RA_REQ_QP = D.field("log_max_ra_req_qp", 0x14a, 6);
  public static final Field RTR2RTS_QP_COUNTERS_SET_ID =
      D.field("rtr2rts_qp_counters_set_id", 0x150, 1);
  public static final Field RTS2RTS_QP_UDP_SPORT = D.field("rts2rts_qp_udp_sport", 0x151, 1);
  public static final Field RTS2RTS_LAG_TX_PORT_AFFINITY =
      D.field("rts2rts_lag_tx_port_affinity", 0x152, 1);
  public static final Field DMA_MMO_SQ = D.field("dma_mmo_sq", 0x153, 1);
  public static final Field COMPRESS_MIN_BLOCK_SIZE = D.field("compress_min_block_size", 0x154, 4);
  public static final Field COMPRESS_MMO_SQ = D.field("compress_mmo_sq", 0x158, 1);
  public static final Field DECOMPRESS_MMO_SQ = D.field("decompress_mmo_sq", 0x159, 1);
  public static final Field LOG_MAX_RA_RES_QP = D.field("log_max_ra_res_qp", 0x15a, 6);
  public static final Field END_PAD = D.field("end_pad", 0x160, 1);
  public static final Field CC_QUERY_ALLOWED = D.field("cc_query_allowed", 0x161, 1);
  public static final Field CC_MODIFY_ALLOWED = D.field("cc_modify_allowed", 0x162, 1);
  public static final Field START_PAD = D.field("start_pad", 0x163, 1);
  public static final Field CACHE_LINE_128BYTE = D.field("cache_line_128byte", 0x164, 1);
  public static final Field GID_TABLE_SIZE_RO = D.field("gid_table_size_ro", 0x165, 1);
  public static final Field PKEY_TABLE_SIZE_RO = D.field("pkey_table_size_ro", 0x166, 1);
  public static final Field RNR_NAK_Q_COUNTERS = D.field("rnr_nak_q_counters", 0x168, 1);
  public static final Field RTS2RTS_QP_COUNTERS_SET_ID =
      D.field("rts2rts_qp_counters_set_id", 0x169, 1);
  public static final Field RTS2RTS_QP_DSCP = D.field("rts2rts_qp_dscp", 0x16a, 1);
  public static final Field VNIC_ENV_INT_RQ_OOB = D.field("vnic_env_int_rq_oob", 0x16c, 1);
  public static final Field SBCAM_REG = D.field("sbcam_reg", 0x16d, 1);
  public static final Field QCAM_REG = D.field("qcam_reg", 0x16f, 1);
  public static final Field GID_TABLE_SIZE = D.field("gid_table_size", 0x170, 16);
  public static final Field OUT_OF_SEQ_CNT = D.field("out_of_seq_cnt", 0x180, 1);
  public static final Field VPORT_COUNTERS = D.field("vport_counters", 0x181, 1);
  public static final Field RETRANSMISSION_Q_COUNTERS =
      D.field("retransmission_q_counters", 0x182, 1);
  public static final Field DEBUG = D.field("debug", 0x183, 1);
  public static final Field MODIFY_RQ_COUNTER_SET_ID =
      D.field("modify_rq_counter_set_id", 0x184, 1);
  public static final Field RQ_DELAY_DROP = D.field("rq_delay_drop", 0x185, 1);
  public static final Field MAX_QP_CNT = D.field("max_qp_cnt", 0x186, 10);
  public static final Field PKEY_TABLE_SIZE = D.field("pkey_table_size", 0x190, 16);
  public static final Field VPORT_GROUP_MANAGER = D.field("vport_group_manager", 0x1a0, 1);
  public static final Field VHCA_GROUP_MANAGER = D.field("vhca_group_manager", 0x1a1, 1);
  public static final Field IB_VIRT = D.field("ib_virt", 0x1a2, 1);
  public static final Field ETH_VIRT = D.field("eth_virt", 0x1a3, 1);
  public static final Field VNIC_ENV_QUEUE_COUNTERS = D.field("vnic_env_queue_counters", 0x1a4, 1);
  public static final Field ETS = D.field("ets", 0x1a5, 1);
  public static final Field NIC_FLOW_TABLE = D.field("nic_flow_table", 0x1a6, 1);
  public static final Field ESWITCH_MANAGER = D.field("eswitch_manager", 0x1a7, 1);
  public static final Field DEVICE_MEMORY = D.field("device_memory", 0x1a8, 1);
  public static final Field MCAM_REG = D.field("mcam_reg", 0x1a9, 1);
  public static final Field PCAM_REG = D.field("pcam_reg", 0x1aa, 1);
  public static final Field LOCAL_CA_ACK_DELAY = D.field("local_ca_ack_delay", 0x1ab, 5);
  public static final Field PORT_MODULE_EVENT = D.field("port_module_event", 0x1b0, 1);
  public static final Field ENHANCED_ERROR_Q_COUNTERS =
      D.field("enhanced_error_q_counters", 0x1b1, 1);
  public static final Field PORTS_CHECK = D.field("ports_check", 0x1b2, 1);
  public static final Field PULSE_GEN_CONTROL = D.field("pulse_gen_control", 0x1b3, 1);
  public static final Field DISABLE_LINK_UP = D.field("disable_link_up", 0x1b4, 1);
  public static final Field BEACON_LED = D.field("beacon_led", 0x1b5, 1);
  public static final Field PORT_TYPE = D.field("port_type", 0x1b6, 2);
  public static final Field NUM_PORTS = D.field("num_ports", 0x1b8, 8);
  public static final Field PPS = D.field("pps", 0x1c1, 1);
  public static final Field PPS_MODIFY = D.field("pps_modify", 0x1c2, 1);
  public static final Field LOG_MAX_MSG = D.field("log_max_msg", 0x1c3, 5);
  public static final Field MULTI_PATH_XRC_RDMA = D.field("multi_path_xrc_rdma", 0x1c8, 1);
  public static final Field MULTI_PATH_DC_RDMA = D.field("multi_path_dc_rdma", 0x1c9, 1);
  public static final Field MULTI_PATH_RC_RDMA = D.field("multi_path_rc_rdma", 0x1ca, 1);
  public static final Field TRAFFIC_FAST_CONTROL = D.field("traffic_fast_control", 0x1cb, 1);
  public static final Field MAX_TC = D.field("max_tc", 0x1cc, 4);
  public static final Field TEMP_WARN_EVENT = D.field("temp_warn_event", 0x1d0, 1);
  public static final Field DCBX = D.field("dcbx", 0x1d1, 1);
  public static final Field GENERAL_NOTIFICATION_EVENT =
      D.field("general_notification_event", 0x1d2, 1);
  public static final Field MULTI_PRIO_SQ = D.field("multi_prio_sq", 0x1d3, 1);
  public static final Field AFU_OWNER = D.field("afu_owner", 0x1d4, 1);
  public static final Field FPGA = D.field("fpga", 0x1d5, 1);
  public static final Field ROL_S = D.field("rol_s", 0x1d6, 1);
  public static final Field ROL_G = D.field("rol_g", 0x1d7, 1);
  public static final Field IB_PORT_SNIFFER = D.field("ib_port_sniffer", 0x1d8, 1);
  public static final Field WOL_S = D.field("wol_s", 0x1d9, 1);
  public static final Field WOL_G = D.field("wol_g", 0x1da, 1);
  public static final Field WOL_A = D.field("wol_a", 0x1db, 1);
  public static final Field WOL_B = D.field("wol_b", 0x1dc, 1);
  public static final Field WOL_M = D.field("wol_m", 0x1dd, 1);
  public static final Field WOL_U = D.field("wol_u", 0x1de, 1);
  public static final Field WOL_P = D.field("wol_p", 0x1df, 1);
  public static final Field STAT_RATE_SUPPORT = D.field("stat_rate_support", 0x1e0, 16);
  public static final Field SIG_BLOCK_4048 = D.field("sig_block_4048", 0x1f0, 1);
  public static final Field PCI_SYNC_FOR_FW_UPDATE_EVENT =
      D.field("pci_sync_for_fw_update_event", 0x1f1, 1);
  public static final Field INIT2_LAG_TX_PORT_AFFINITY =
      D.field("init2_lag_tx_port_affinity", 0x1f8, 1);
  public static final Field WQE_BASED_FLOW_TABLE_UPDATE_CAP =
      D.field("wqe_based_flow_table_update_cap", 0x1fb, 1);
  public static final Field CQE_VERSION = D.field("cqe_version", 0x1fc, 4);
  public static final Field COMPACT_ADDRESS_VECTOR = D.field("compact_address_vector", 0x200, 1);
  public static final Field STRIDING_RQ = D.field("striding_rq", 0x201, 1);
  public static final Field IPOIB_ENHANCED_OFFLOADS = D.field("ipoib_enhanced_offloads", 0x203, 1);
  public static final Field IPOIB_BASIC_OFFLOADS = D.field("ipoib_basic_offloads", 0x204, 1);
  public static final Field IB_STRIDING_WQ = D.field("ib_striding_wq", 0x205, 1);
  public static final Field REPEATED_BLOCK_DISABLED = D.field("repeated_block_disabled", 0x206, 1);
  public static final Field UMR_MODIFY_ENTITY_SIZE_DISABLED =
      D.field("umr_modify_entity_size_disabled", 0x207, 1);
  public static final Field UMR_MODIFY_ATOMIC_DISABLED =
      D.field("umr_modify_atomic_disabled", 0x208, 1);
  public static final Field UMR_INDIRECT_MKEY_DISABLED =
      D.field("umr_indirect_mkey_disabled", 0x209, 1);
  public static final Field UMR_FENCE = D.field("umr_fence", 0x20a, 2);
  public static final Field DC_REQ_SCAT_DATA_CQE = D.field("dc_req_scat_data_cqe", 0x20c, 1);
  public static final Field DC_CONNECT_QP = D.field("dc_connect_qp", 0x20d, 1);
  public static final Field DC_CNAK_TRACE = D.field("dc_cnak_trace", 0x20e, 1);
  public static final Field DRAIN_SIGERR = D.field("drain_sigerr", 0x20f, 1);
  public static final Field CMDIF_CHECKSUM = D.field("cmdif_checksum", 0x210, 2);
  public static final Field SIGERR_CQE = D.field("sigerr_cqe", 0x212, 1);
  public static final Field WQ_SIGNATURE = D.field("wq_signature", 0x214, 1);
  public static final Field SCTR_DATA_CQE = D.field("sctr_data_cqe", 0x215, 1);
  public static final Field SHO = D.field("sho", 0x217, 1);
  public static final Field TPH = D.field("tph", 0x218, 1);
  public static final Field RF = D.field("rf", 0x219, 1);
  public static final Field DCT = D.field("dct", 0x21a, 1);
  public static final Field QOS = D.field("qos", 0x21b, 1);
  public static final Field ETH_NET_OFFLOADS = D.field("eth_net_offloads", 0x21c, 1);
  public static final Field ROCE = D.field("roce", 0x21d, 1);
  public static final Field ATOMIC = D.field("atomic", 0x21e, 1);
  public static final Field EXTENDED_RETRY_COUNT = D.field("extended_retry_count", 0x21f, 1);
  public static final Field CQ_OI = D.field("cq_oi", 0x220, 1);
  public static final Field CQ_RESIZE = D.field("cq_resize", 0x221, 1);
  public static final Field CQ_MODERATION = D.field("cq_moderation", 0x222, 1);
  public static final Field CQ_PERIOD_MODE_MODIFY = D.field("cq_period_mode_modify", 0x223, 1);
  public static final Field CQ_INVALIDATE = D.field("cq_invalidate", 0x224, 1);
  public static final Field IB_STRIDING_WQ_CQ_FIRST_INDICATION =
      D.field("ib_striding_wq_cq_first_indication", 0x225, 1);
  public static final Field CQ_EQ_REMAP = D.field("cq_eq_remap", 0x226, 1);
  public static final Field PG = D.field("pg", 0x227, 1);
  public static final Field BLOCK_LB_MC = D.field("block_lb_mc", 0x228, 1);
  public static final Field EXPONENTIAL_BACKOFF = D.field("exponential_backoff", 0x229, 1);
  public static final Field SCQE_BREAK_MODERATION = D.field("scqe_break_moderation", 0x22a, 1);
  public static final Field CQ_PERIOD_START_FROM_CQE =
      D.field("cq_period_start_from_cqe", 0x22b, 1);
  public static final Field CD = D.field("cd", 0x22c, 1);
  public static final Field ATM = D.field("atm", 0x22d, 1);
  public static final Field APM = D.field("apm", 0x22e, 1);
  public static final Field VECTOR_CALC = D.field("vector_calc", 0x22f, 1);
  public static final Field UMR_PTR_RLKY = D.field("umr_ptr_rlky", 0x230, 1);
  public static final Field IMAICL = D.field("imaicl", 0x231, 1);
  public static final Field QP_PACKET_BASED = D.field("qp_packet_based", 0x232, 1);
  public static final Field IPOIB_ENHANCED_PKEY_CHANGE =
      D.field("ipoib_enhanced_pkey_change", 0x234, 1);
  public static final Field INITIATOR_SRC_DCT_IN_CQE =
      D.field("initiator_src_dct_in_cqe", 0x235, 1);
  public static final Field QKV = D.field("qkv", 0x236, 1);
  public static final Field PKV = D.field("pkv", 0x237, 1);
  public static final Field SET_DETH_SQPN = D.field("set_deth_sqpn", 0x238, 1);
  public static final Field RTS2RTS_PRIMARY_SL = D.field("rts2rts_primary_sl", 0x239, 1);
  public static final Field INITIATOR_SRC_DCT = D.field("initiator_src_dct", 0x23a, 1);
  public static final Field DC_V2 = D.field("dc_v2", 0x23b, 1);
  public static final Field XRC = D.field("xrc", 0x23c, 1);
  public static final Field UD = D.field("ud", 0x23d, 1);
  public static final Field UC = D.field("uc", 0x23e, 1);
  public static final Field RC = D.field("rc", 0x23f, 1);
  public static final Field UAR_4K = D.field("uar_4k", 0x240, 1);
  public static final Field DCI_NO_RDMA_WR_OPTIMIZED_PERFORMANCE =
      D.field("dci_no_rdma_wr_optimized_performance", 0x241, 1);
  public static final Field FL_RC_QP_WHEN_ROCE_DISABLED =
      D.field("fl_rc_qp_when_roce_disabled", 0x248, 1);
  public static final Field REGEXP_PARAMS = D.field("regexp_params", 0x249, 1);
  public static final Field UAR_SZ = D.field("uar_sz", 0x24a, 6);
  public static final Field PORT_SELECTION_CAP = D.field("port_selection_cap", 0x250, 1);
  public static final Field UMEM_UID_0 = D.field("umem_uid_0", 0x252, 1);
  public static final Field LOG_MAX_DC_CNAK_QPS = D.field("log_max_dc_cnak_qps", 0x253, 5);
  public static final Field LOG_PG_SZ = D.field("log_pg_sz", 0x258, 8);
  public static final Field BF = D.field("bf", 0x260, 1);
  public static final Field DRIVER_VERSION = D.field("driver_version", 0x261, 1);
  public static final Field PAD_TX_ETH_PACKET = D.field("pad_tx_eth_packet", 0x262, 1);
  public static final Field QUERY_DRIVER_VERSION = D.field("query_driver_version", 0x263, 1);
  public static final Field MAX_QP_RETRY_FREQ = D.field("max_qp_retry_freq", 0x264, 1);
  public static final Field QP_BY_NAME = D.field("qp_by_name", 0x265, 1);
  public static final Field MKEY_BY_NAME = D.field("mkey_by_name", 0x266, 1);
  public static final Field SUSPEND_QP_UC = D.field("suspend_qp_uc", 0x268, 1);
  public static final Field SUSPEND_QP_UD = D.field("suspend_qp_ud", 0x269, 1);
  public static final Field SUSPEND_QP_RC = D.field("suspend_qp_rc", 0x26a, 1);
  public static final Field LOG_BF_REG_SIZE = D.field("log_bf_reg_size", 0x26b, 5);
  public static final Field LAG_DCT = D.field("lag_dct", 0x276, 2);
  public static final Field LAG_TX_PORT_AFFINITY = D.field("lag_tx_port_affinity", 0x278, 1);
  public static final Field LAG_NATIVE_FDB_SELECTION =
      D.field("lag_native_fdb_selection", 0x279, 1);
  public static final Field LAG_MASTER = D.field("lag_master", 0x27b, 1);
  public static final Field NUM_LAG_PORTS = D.field("num_lag_ports", 0x27c, 4);
  public static final Field NUM_OF_DIAGNOSTIC_COUNTERS =
      D.field("num_of_diagnostic_counters", 0x280, 16);
  public static final Field MAX_WQE_SZ_SQ = D.field("max_wqe_sz_sq", 0x290, 16);
  public static final Field REGEXP_MMO_SQ = D.field("regexp_mmo_sq", 0x2ac, 1);
  public static final Field REGEXP_VERSION = D.field("regexp_version", 0x2ad, 3);
  public static final Field MAX_WQE_SZ_RQ = D.field("max_wqe_sz_rq", 0x2b0, 16);
  public static final Field MAX_FLOW_COUNTER_31_16 = D.field("max_flow_counter_31_16", 0x2c0, 16);
  public static final Field MAX_WQE_SZ_SQ_DC = D.field("max_wqe_sz_sq_dc", 0x2d0, 16);
  public static final Field MAX_QP_MCG = D.field("max_qp_mcg", 0x2e7, 25);
  public static final Field MLNX_TAG_ETHERTYPE = D.field("mlnx_tag_ethertype", 0x300, 16);
  public static final Field FLOW_COUNTER_BULK_ALLOC = D.field("flow_counter_bulk_alloc", 0x310, 8);
  public static final Field LOG_MAX_MCG = D.field("log_max_mcg", 0x318, 8);
  public static final Field LOG_MAX_TRANSPORT_DOMAIN =
      D.field("log_max_transport_domain", 0x323, 5);
  public static final Field PCI_RELAXED_ORDERED_READ =
      D.field("pci_relaxed_ordered_read", 0x32a, 1);
  public static final Field LOG_MAX_PD = D.field("log_max_pd", 0x32b, 5);
  public static final Field DP_ORDERING_OOO_ALL_UD = D.field("dp_ordering_ooo_all_ud", 0x330, 1);
  public static final Field DP_ORDERING_OOO_ALL_UC = D.field("dp_ordering_ooo_all_uc", 0x331, 1);
  public static final Field DP_ORDERING_OOO_ALL_XRC = D.field("dp_ordering_ooo_all_xrc", 0x332, 1);
  public static final Field DP_ORDERING_OOO_ALL_DC = D.field("dp_ordering_ooo_all_dc", 0x333, 1);
  public static final Field DP_ORDERING_OOO_ALL_RC = D.field("dp_ordering_ooo_all_rc", 0x334, 1);
  public static final Field LOG_MAX_XRCD = D.field("log_max_xrcd", 0x33b, 5);
  public static final Field NIC_RECEIVE_STEERING_DISCARD =
      D.field("nic_receive_steering_discard", 0x340, 1);
  public static final Field RECEIVE_DISCARD_VPORT_DOWN =
      D.field("receive_discard_vport_down", 0x341, 1);
  public static final Field TRANSMIT_DISCARD_VPORT_DOWN =
      D.field("transmit_discard_vport_down", 0x342, 1);
  public static final Field EQ_OVERRUN_COUNT = D.field("eq_overrun_count", 0x343, 1);
  public static final Field NIC_RECEIVE_STEERING_DEPTH =
      D.field("nic_receive_steering_depth", 0x344, 1);
  public static final Field INVALID_COMMAND_COUNT = D.field("invalid_command_count", 0x345, 1);
  public static final Field QUOTA_EXCEEDED_COUNT = D.field("quota_exceeded_count", 0x346, 1);
  public static final Field LOG_MAX_FLOW_COUNTER_BULK =
      D.field("log_max_flow_counter_bulk", 0x348, 8);
  public static final Field MAX_FLOW_COUNTER_15_0 = D.field("max_flow_counter_15_0", 0x350, 16);
  public static final Field MODIFY_TIS = D.field("modify_tis", 0x360, 1);
  public static final Field FLOW_COUNTERS_DUMP = D.field("flow_counters_dump", 0x361, 1);
  public static final Field LOG_MAX_RQ = D.field("log_max_rq", 0x363, 5);
  public static final Field LOG_MAX_SQ = D.field("log_max_sq", 0x36b, 5);
  public static final Field LOG_MAX_TIR = D.field("log_max_tir", 0x373, 5);
  public static final Field LOG_MAX_TIS = D.field("log_max_tis", 0x37b, 5);
  public static final Field BASIC_CYCLIC_RCV_WQE = D.field("basic_cyclic_rcv_wqe", 0x380, 1);
  public static final Field MEM_RQ_RMP = D.field("mem_rq_rmp", 0x382, 1);
  public static final Field LOG_MAX_RMP = D.field("log_max_rmp", 0x383, 5);
  public static final Field LOG_MAX_RQT = D.field("log_max_rqt", 0x38b, 5);
  public static final Field LOG_MAX_RQT_SIZE = D.field("log_max_rqt_size", 0x393, 5);
  public static final Field LOG_MAX_TIS_PER_SQ = D.field("log_max_tis_per_sq", 0x39b, 5);
  public static final Field EXT_STRIDE_NUM_RANGE = D.field("ext_stride_num_range", 0x3a0, 1);
  public static final Field ROCE_RW_SUPPORTED = D.field("roce_rw_supported", 0x3a1, 1);
  public static final Field LOG_MAX_CURRENT_UC_LIST_WR_SUPPORTED =
      D.field("log_max_current_uc_list_wr_supported", 0x3a2, 1);
  public static final Field LOG_MAX_STRIDE_SZ_RQ = D.field("log_max_stride_sz_rq", 0x3a3, 5);
  public static final Field MKC_ORDER_READ_AFTER_WRITE =
      D.field("mkc_order_read_after_write", 0x3a8, 1);
  public static final Field MKC_ORDER_WRITE_AFTER_WRITE_RO_ONLY =
      D.field("mkc_order_write_after_write_ro_only", 0x3a9, 1);
  public static final Field LOG_MIN_STRIDE_SZ_RQ = D.field("log_min_stride_sz_rq", 0x3ab, 5);
  public static final Field LOG_MAX_STRIDE_SZ_SQ = D.field("log_max_stride_sz_sq", 0x3b3, 5);
  public static final Field LOG_MIN_STRIDE_SZ_SQ = D.field("log_min_stride_sz_sq", 0x3bb, 5);
  public static final Field HAIRPIN = D.field("hairpin", 0x3c0, 1);
  public static final Field LOG_MAX_HAIRPIN_QUEUES = D.field("log_max_hairpin_queues", 0x3c3, 5);
  public static final Field LOG_MAX_HAIRPIN_WQ_DATA_SZ =
      D.field("log_max_hairpin_wq_data_sz", 0x3cb, 5);
  public static final Field LOG_MAX_HAIRPIN_NUM_PACKETS =
      D.field("log_max_hairpin_num_packets", 0x3d3, 5);
  public static final Field LOG_MAX_WQ_SZ = D.field("log_max_wq_sz", 0x3db, 5);
  public static final Field NIC_VPORT_CHANGE_EVENT = D.field("nic_vport_change_event", 0x3e0, 1);
  public static final Field DISABLE_LOCAL_LB_UC = D.field("disable_local_lb_uc", 0x3e1, 1);
  public static final Field DISABLE_LOCAL_LB_MC = D.field("disable_local_lb_mc", 0x3e2, 1);
  public static final Field LOG_MIN_HAIRPIN_WQ_DATA_SZ =
      D.field("log_min_hairpin_wq_data_sz", 0x3e3, 5);
  public static final Field VHCA_STATE = D.field("vhca_state", 0x3ea, 1);
  public static final Field LOG_MAX_VLAN_LIST = D.field("log_max_vlan_list", 0x3eb, 5);
  public static final Field AES_XTS_SINGLE_BLOCK_LE_TWEAK =
      D.field("aes_xts_single_block_le_tweak", 0x3f1, 1);
  public static final Field AES_XTS_MULTI_BLOCK_BE_TWEAK =
      D.field("aes_xts_multi_block_be_tweak", 0x3f2, 1);
  public static final Field LOG_MAX_CURRENT_MC_LIST = D.field("log_max_current_mc_list", 0x3f3, 5);
  public static final Field LOG_MAX_CURRENT_UC_LIST = D.field("log_max_current_uc_list", 0x3fb, 5);
  public static final Field GENERAL_OBJ_TYPES = D.field("general_obj_types", 0x400, 64);
  public static final Field SQ_TS_FORMAT = D.field("sq_ts_format", 0x440, 2);
  public static final Field RQ_TS_FORMAT = D.field("rq_ts_format", 0x442, 2);
  public static final Field STEERING_FORMAT_VERSION = D.field("steering_format_version", 0x444, 4);
  public static final Field CREATE_QP_START_HINT = D.field("create_qp_start_hint", 0x448, 24);
  public static final Field ATS = D.field("ats", 0x461, 1);
  public static final Field LOG_MAX_UCTX = D.field("log_max_uctx", 0x463, 5);
  public static final Field AES_XTS = D.field("aes_xts", 0x468, 1);
  public static final Field CRYPTO = D.field("crypto", 0x469, 1);
  public static final Field IPSEC_OFFLOAD = D.field("ipsec_offload", 0x46a, 1);
  public static final Field LOG_MAX_UMEM = D.field("log_max_umem", 0x46b, 5);
  public static final Field MAX_NUM_EQS = D.field("max_num_eqs", 0x470, 16);
  public static final Field SIGERR_DOMAIN_AND_SIG_TYPE =
      D.field("sigerr_domain_and_sig_type", 0x480, 1);
  public static final Field TLS_TX = D.field("tls_tx", 0x481, 1);
  public static final Field TLS_RX = D.field("tls_rx", 0x482, 1);
  public static final Field LOG_MAX_L2_TABLE = D.field("log_max_l2_table", 0x483, 5);
  public static final Field LOG_UAR_PAGE_SZ = D.field("log_uar_page_sz", 0x490, 16);
  public static final Field DEVICE_FREQUENCY_MHZ = D.field("device_frequency_mhz", 0x4c0, 32);
  public static final Field DEVICE_FREQUENCY_KHZ = D.field("device_frequency_khz", 0x4e0, 32);
  public static final Field CAPI = D.field("capi", 0x500, 1);
  public static final Field CREATE_PEC = D.field("create_pec", 0x501, 1);
  public static final Field NVMF_TARGET_OFFLOAD = D.field("nvmf_target_offload", 0x502, 1);
  public static final Field CAPI_INVALIDATE = D.field("capi_invalidate", 0x503, 1);
  public static final Field LOG_MAX_PASID = D.field("log_max_pasid", 0x51b, 5);
  public static final Field NUM_OF_UARS_PER_PAGE = D.field("num_of_uars_per_page", 0x520, 32);
  public static final Field FLEX_PARSER_PROTOCOLS = D.field("flex_parser_protocols", 0x540, 32);
  public static final Field MAX_GENEVE_TLV_OPTIONS = D.field("max_geneve_tlv_options", 0x560, 8);
  public static final Field GENEVE_TLV_SAMPLE = D.field("geneve_tlv_sample", 0x568, 1);
  public static final Field GENEVE_TLV_OPTION_OFFSET =
      D.field("geneve_tlv_option_offset", 0x569, 1);
  public static final Field MAX_GENEVE_TLV_OPTION_DATA_LEN =
      D.field("max_geneve_tlv_option_data_len", 0x56b, 5);
  public static final Field FLEX_PARSER_HEADER_MODIFY =
      D.field("flex_parser_header_modify", 0x570, 1);
  public static final Field LOG_MAX_GUARANTEED_CONNECTIONS =
      D.field("log_max_guaranteed_connections", 0x573, 5);
  public static final Field DRIVER_VERSION_BEFORE_INIT_HCA =
      D.field("driver_version_before_init_hca", 0x578, 1);
  public static final Field ADV_VIRTUALIZATION = D.field("adv_virtualization", 0x579, 1);
  public static final Field LOG_MAX_DCT_CONNECTIONS = D.field("log_max_dct_connections", 0x57b, 5);
  public static final Field LOG_MAX_ATOMIC_SIZE_QP = D.field("log_max_atomic_size_qp", 0x580, 8);
  public static final Field LOG_MAX_DCI_STREAM_CHANNELS =
      D.field("log_max_dci_stream_channels", 0x58b, 5);
  public static final Field LOG_MAX_DCI_ERRORED_STREAMS =
      D.field("log_max_dci_errored_streams", 0x593, 5);
  public static final Field LOG_MAX_ATOMIC_SIZE_DC = D.field("log_max_atomic_size_dc", 0x598, 8);
  public static final Field MAX_MULTI_USER_GGROUP_SIZE =
      D.field("max_multi_user_ggroup_size", 0x5a0, 16);
  public static final Field ENHANCED_CQE_COMPRESSION =
      D.field("enhanced_cqe_compression", 0x5b0, 1);
  public static final Field CROSSING_VHCA_MKEY = D.field("crossing_vhca_mkey", 0x5b2, 1);
  public static final Field LOG_MAX_DEK = D.field("log_max_dek", 0x5b3, 5);
  public static final Field MINI_CQE_RESP_L3_L4_TAG = D.field("mini_cqe_resp_l3_l4_tag", 0x5b9, 1);
  public static final Field MINI_CQE_RESP_FLOW_TAG = D.field("mini_cqe_resp_flow_tag", 0x5ba, 1);
  public static final Field MUST_BE_0 = D.field("must_be_0", 0x5bb, 1);
  public static final Field MINI_CQE_RESP_STRIDE_INDEX =
      D.field("mini_cqe_resp_stride_index", 0x5bc, 1);
  public static final Field CQE_128_ALWAYS = D.field("cqe_128_always", 0x5bd, 1);
  public static final Field CQE_COMPRESSION_128 = D.field("cqe_compression_128", 0x5be, 1);
  public static final Field CQE_COMPRESSION = D.field("cqe_compression", 0x5bf, 1);
  public static final Field CQE_COMPRESSION_TIMEOUT = D.field("cqe_compression_timeout", 0x5c0, 16);
  public static final Field CQE_COMPRESSION_MAX_NUM = D.field("cqe_compression_max_num", 0x5d0, 16);
  public static final Field FLEX_PARSER_ID_GTPU_DW_0 =
      D.field("flex_parser_id_gtpu_dw_0", 0x5e8, 4);
  public static final Field LOG_MAX_TM_OFFLOADED_OP_SIZE =
      D.field("log_max_tm_offloaded_op_size", 0x5ec, 4);
  public static final Field TAG_MATCHING = D.field("tag_matching", 0x5f0, 1);
  public static final Field RNDV_OFFLOAD_RC = D.field("rndv_offload_rc", 0x5f1, 1);
  public static final Field RNDV_OFFLOAD_DC = D.field("rndv_offload_dc", 0x5f2, 1);
  public static final Field LOG_TAG_MATCHING_LIST_SZ =
      D.field("log_tag_matching_list_sz", 0x5f3, 5);
  public static final Field LOG_MAX_XRQ = D.field("log_max_xrq", 0x5fb, 5);
  public static final Field AFFILIATE_NIC_VPORT_CRITERIA =
      D.field("affiliate_nic_vport_criteria", 0x600, 8);
  public static final Field NATIVE_PORT_NUM = D.field("native_port_num", 0x608, 8);
  public static final Field NUM_VHCA_PORTS = D.field("num_vhca_ports", 0x610, 8);
  public static final Field FLEX_PARSER_ID_GTPU_TEID =
      D.field("flex_parser_id_gtpu_teid", 0x618, 4);
  public static final Field TRUSTED_VNIC_VHCA = D.field("trusted_vnic_vhca", 0x61d, 1);
  public static final Field SW_OWNER_ID = D.field("sw_owner_id", 0x61e, 1);
  public static final Field RESERVE_NOT_TO_USE = D.field("reserve_not_to_use", 0x61f, 1);
  public static final Field MAX_NUM_OF_MONITOR_COUNTERS =
      D.field("max_num_of_monitor_counters", 0x620, 16);
  public static final Field NUM_PPCNT_MONITOR_COUNTERS =
      D.field("num_ppcnt_monitor_counters", 0x630, 16);
  public static final Field MAX_NUM_SF = D.field("max_num_sf", 0x640, 16);
  public static final Field NUM_Q_MONITOR_COUNTERS = D.field("num_q_monitor_counters", 0x650, 16);
  public static final Field SF = D.field("sf", 0x680, 1);
  public static final Field SF_SET_PARTITION = D.field("sf_set_partition", 0x681, 1);
  public static final Field LOG_MAX_SF = D.field("log_max_sf", 0x683, 5);
  public static final Field APU = D.field("apu", 0x688, 1);
  public static final Field WAIT_ON_DATA = D.field("wait_on_data", 0x68b, 1);
  public static final Field WAIT_ON_TIME = D.field("wait_on_time", 0x68c, 1);
  public static final Field MIGRATION = D.field("migration", 0x68d, 1);
  public static final Field LOG_MIN_SF_SIZE = D.field("log_min_sf_size", 0x690, 8);
  public static final Field MAX_NUM_SF_PARTITIONS = D.field("max_num_sf_partitions", 0x698, 8);
  public static final Field UCTX_CAP = D.field("uctx_cap", 0x6a0, 32);
  public static final Field FLEX_PARSER_ID_GENEVE_TLV_OPTION_0 =
      D.field("flex_parser_id_geneve_tlv_option_0", 0x6c4, 4);
  public static final Field FLEX_PARSER_ID_ICMP_DW1 = D.field("flex_parser_id_icmp_dw1", 0x6c8, 4);
  public static final Field FLEX_PARSER_ID_ICMP_DW0 = D.field("flex_parser_id_icmp_dw0", 0x6cc, 4);
  public static final Field FLEX_PARSER_ID_ICMPV6_DW1 =
      D.field("flex_parser_id_icmpv6_dw1", 0x6d0, 4);
  public static final Field FLEX_PARSER_ID_ICMPV6_DW0 =
      D.field("flex_parser_id_icmpv6_dw0", 0x6d4, 4);
  public static final Field FLEX_PARSER_ID_OUTER_FIRST_MPLS_OVER_GRE =
      D.field("flex_parser_id_outer_first_mpls_over_gre", 0x6d8, 4);
  public static final Field FLEX_PARSER_ID_OUTER_FIRST_MPLS_OVER_UDP_LABEL =
      D.field("flex_parser_id_outer_first_mpls_over_udp_label", 0x6dc, 4);
  public static final Field MAX_NUM_MATCH_DEFINER = D.field("max_num_match_definer", 0x6e0, 16);
  public static final Field SF_BASE_ID = D.field("sf_base_id", 0x6f0, 16);
  public static final Field FLEX_PARSER_ID_GTPU_DW_2 =
      D.field("flex_parser_id_gtpu_dw_2", 0x700, 4);
  public static final Field FLEX_PARSER_ID_GTPU_FIRST_EXT_DW_0 =
      D.field("flex_parser_id_gtpu_first_ext_dw_0", 0x704, 4);
  public static final Field NUM_TOTAL_DYNAMIC_VF_MSIX =
      D.field("num_total_dynamic_vf_msix", 0x708, 24);
  public static final Field DYNAMIC_MSIX_TABLE_SIZE = D.field("dynamic_msix_table_size", 0x734, 12);
  public static final Field DMA_MMO_QP = D.field("dma_mmo_qp", 0x748, 1);
  public static final Field REGEXP_MMO_QP = D.field("regexp_mmo_qp", 0x749, 1);
  public static final Field COMPRESS_MMO_QP = D.field("compress_mmo_qp", 0x74a, 1);
  public static final Field DECOMPRESS_DEFLATE_V1 = D.field("decompress_deflate_v1", 0x74b, 1);
  public static final Field MIN_DYNAMIC_VF_MSIX_TABLE_SIZE =
      D.field("min_dynamic_vf_msix_table_size", 0x74c, 4);
  public static final Field DECOMPRESS_DEFLATE_V2 = D.field("decompress_deflate_v2", 0x750, 1);
  public static final Field MAX_DYNAMIC_VF_MSIX_TABLE_SIZE =
      D.field("max_dynamic_vf_msix_table_size", 0x754, 12);
  public static final Field LOG_MAX_NUM_HEADER_MODIFY_ARGUMENT =
      D.field("log_max_num_header_modify_argument", 0x763, 5);
  public static final Field LOG_HEADER_MODIFY_ARGUMENT_GRANULARITY_OFFSET =
      D.field("log_header_modify_argument_granularity_offset", 0x768, 4);
  public static final Field LOG_HEADER_MODIFY_ARGUMENT_GRANULARITY =
      D.field("log_header_modify_argument_granularity", 0x76c, 4);
  public static final Field LOG_HEADER_MODIFY_ARGUMENT_MAX_ALLOC =
      D.field("log_header_modify_argument_max_alloc", 0x773, 5);
  public static final Field VHCA_TUNNEL_COMMANDS = D.field("vhca_tunnel_commands", 0x780, 64);
  public static final Field MATCH_DEFINER_FORMAT_SUPPORTED =
      D.field("match_definer_format_supported", 0x7c0, 64);

  public static final Structure STRUCTURE = D.structure();

  private CmdHcaCap() {}
}
