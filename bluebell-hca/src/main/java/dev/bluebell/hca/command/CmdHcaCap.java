package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** General device capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_hca_cap_bits} of Linux. */
public final class CmdHcaCap {
  public static final Structure STRUCTURE =
      Structure.define("cmd_hca_cap", 2048)
          .with(
              """
              access_other_hca_roce@000 alloc_flow_counter_pd@001 flow_counter_access_aso@002
              query_match_sample_info@003 flow_access_aso_opc_mod@008:8
              shared_object_to_user_object_allowed@010 vhca_resource_manager@01f
              create_lag_when_not_master_up@021 dtor@022
              event_on_vhca_state_teardown_request@023 event_on_vhca_state_in_use@024
              event_on_vhca_state_active@025 event_on_vhca_state_allocated@026
              event_on_vhca_state_invalid@027 qp_data_in_order@062
              log_regexp_scatter_gather_size@063:5 log_compress_mmo_size@073:5
              decompress_lz4_data_only_v2@078 decompress_lz4_no_checksum_v2@079
              decompress_lz4_checksum_v2@07a log_decompress_mmo_size@07b:5 event_cap@090
              isolate_vl_tc_new@093 prio_tag_required@098 wqe_index_ignore_cap@099
              dynamic_qp_allocation@09a regexp_num_of_engines@0a4:4 reg_c_preserve@0a9
              log_max_srq@0ab:5 uplink_follow@0b1 ts_cqe_to_dest_cqn@0b2 shampo@0ba
              scatter_fcs_w_decap_disable@0bb max_sgl_for_optimized_performance@0c0:8
              access_register_user@0d2 virtio_net_device_emualtion_manager@0d9
              virtio_blk_device_emualtion_manager@0da log_max_eq_sz@0e0:8 tunneled_atomic@0f0
              as_notify@0f1 m_pci_port@0f2 m_vhca_mk@0f3 cmd_on_behalf@0f4
              device_emulation_manager@0f5 terminate_scatter_list_mkey@0f6 repeated_mkey@0f7
              fast_teardown@0fb log_max_eq@0fc:4 log_max_mrw_sz@109:7 force_teardown@110
              log_max_bsf_list_size@112:6 umr_extended_translation_offset@118 null_mkey@119
              non_wire_sq@120 eth_wqe_too_small@132 log_max_static_sq_wq@133:5 ooo_sl_mask@138
              vnic_env_cq_overrun@139 release_all_pages@145 must_not_use@146
              sig_crc64_xp10@147 sig_crc32c@148 roce_accl@149 rtr2rts_qp_counters_set_id@150
              rts2rts_qp_udp_sport@151 rts2rts_lag_tx_port_affinity@152 dma_mmo_sq@153
              compress_min_block_size@154:4 compress_mmo_sq@158 decompress_mmo_sq@159
              end_pad@160 cc_modify_allowed@162 start_pad@163 cache_line_128byte@164
              gid_table_size_ro@165 pkey_table_size_ro@166 rts2rts_qp_counters_set_id@169
              rts2rts_qp_dscp@16a vnic_env_int_rq_oob@16c sbcam_reg@16d qcam_reg@16f debug@183
              modify_rq_counter_set_id@184 rq_delay_drop@185 max_qp_cnt@186:10
              vport_group_manager@1a0 vhca_group_manager@1a1 eth_virt@1a3
              vnic_env_queue_counters@1a4 ets@1a5 nic_flow_table@1a6 eswitch_manager@1a7
              mcam_reg@1a9 pcam_reg@1aa local_ca_ack_delay@1ab:5 port_module_event@1b0
              ports_check@1b2 pulse_gen_control@1b3 disable_link_up@1b4 beacon_led@1b5 pps@1c1
              pps_modify@1c2 traffic_fast_control@1cb max_tc@1cc:4 temp_warn_event@1d0
              dcbx@1d1 general_notification_event@1d2 multi_prio_sq@1d3 afu_owner@1d4 fpga@1d5
              rol_s@1d6 rol_g@1d7 ib_port_sniffer@1d8 wol_s@1d9 wol_g@1da wol_a@1db wol_b@1dc
              wol_m@1dd wol_u@1de wol_p@1df stat_rate_support@1e0:16 sig_block_4048@1f0
              pci_sync_for_fw_update_event@1f1 init2_lag_tx_port_affinity@1f8
              wqe_based_flow_table_update_cap@1fb striding_rq@201 ipoib_enhanced_offloads@203
              ipoib_basic_offloads@204 repeated_block_disabled@206
              umr_modify_entity_size_disabled@207 umr_modify_atomic_disabled@208
              umr_indirect_mkey_disabled@209 dc_connect_qp@20d dc_cnak_trace@20e
              drain_sigerr@20f cmdif_checksum@210:2 sigerr_cqe@212 sho@217 tph@218 rf@219
              qos@21b eth_net_offloads@21c extended_retry_count@21f cq_invalidate@224
              cq_eq_remap@226 exponential_backoff@229 atm@22d apm@22e vector_calc@22f
              umr_ptr_rlky@230 qp_packet_based@232 ipoib_enhanced_pkey_change@234
              initiator_src_dct_in_cqe@235 set_deth_sqpn@238 rts2rts_primary_sl@239
              initiator_src_dct@23a dc_v2@23b dci_no_rdma_wr_optimized_performance@241
              fl_rc_qp_when_roce_disabled@248 regexp_params@249 uar_sz@24a:6
              port_selection_cap@250 umem_uid_0@252 log_max_dc_cnak_qps@253:5 log_pg_sz@258:8
              driver_version@261 pad_tx_eth_packet@262 query_driver_version@263
              max_qp_retry_freq@264 qp_by_name@265 mkey_by_name@266 suspend_qp_uc@268
              suspend_qp_ud@269 suspend_qp_rc@26a lag_dct@276:2 lag_tx_port_affinity@278
              lag_native_fdb_selection@279 lag_master@27b num_lag_ports@27c:4
              num_of_diagnostic_counters@280:16 regexp_mmo_sq@2ac regexp_version@2ad:3
              max_flow_counter_31_16@2c0:16 mlnx_tag_ethertype@300:16
              flow_counter_bulk_alloc@310:8 log_max_transport_domain@323:5
              pci_relaxed_ordered_read@32a nic_receive_steering_discard@340
              receive_discard_vport_down@341 transmit_discard_vport_down@342
              eq_overrun_count@343 nic_receive_steering_depth@344 invalid_command_count@345
              quota_exceeded_count@346 log_max_flow_counter_bulk@348:8
              max_flow_counter_15_0@350:16 modify_tis@360 flow_counters_dump@361
              log_max_rq@363:5 log_max_sq@36b:5 log_max_tir@373:5 log_max_tis@37b:5
              basic_cyclic_rcv_wqe@380 mem_rq_rmp@382 log_max_rqt@38b:5 log_max_rqt_size@393:5
              log_max_tis_per_sq@39b:5 roce_rw_supported@3a1
              log_max_current_uc_list_wr_supported@3a2 log_max_stride_sz_rq@3a3:5
              mkc_order_read_after_write@3a8 mkc_order_write_after_write_ro_only@3a9
              log_min_stride_sz_rq@3ab:5 log_max_stride_sz_sq@3b3:5 log_min_stride_sz_sq@3bb:5
              hairpin@3c0 log_max_hairpin_queues@3c3:5 log_max_hairpin_wq_data_sz@3cb:5
              log_max_hairpin_num_packets@3d3:5 log_max_wq_sz@3db:5 nic_vport_change_event@3e0
              disable_local_lb_uc@3e1 disable_local_lb_mc@3e2 log_min_hairpin_wq_data_sz@3e3:5
              vhca_state@3ea log_max_vlan_list@3eb:5 aes_xts_single_block_le_tweak@3f1
              aes_xts_multi_block_be_tweak@3f2 log_max_current_mc_list@3f3:5
              log_max_current_uc_list@3fb:5 general_obj_types@400:64
              rq_ts_format@442:2 steering_format_version@444:4 create_qp_start_hint@448:24
              ats@461 log_max_uctx@463:5 aes_xts@468 crypto@469 ipsec_offload@46a
              max_num_eqs@470:16 sigerr_domain_and_sig_type@480 tls_tx@481 tls_rx@482
              log_max_l2_table@483:5 log_uar_page_sz@490:16 device_frequency_mhz@4c0:32
              capi@500 create_pec@501 nvmf_target_offload@502 capi_invalidate@503
              log_max_pasid@51b:5 num_of_uars_per_page@520:32 flex_parser_protocols@540:32
              max_geneve_tlv_options@560:8 geneve_tlv_sample@568 geneve_tlv_option_offset@569
              max_geneve_tlv_option_data_len@56b:5 flex_parser_header_modify@570
              log_max_guaranteed_connections@573:5 driver_version_before_init_hca@578
              adv_virtualization@579 log_max_atomic_size_qp@580:8 log_max_atomic_size_dc@598:8
              max_multi_user_ggroup_size@5a0:16 crossing_vhca_mkey@5b2 log_max_dek@5b3:5
              mini_cqe_resp_l3_l4_tag@5b9 mini_cqe_resp_flow_tag@5ba must_be_0@5bb
              cqe_128_always@5bd flex_parser_id_gtpu_dw_0@5e8:4
              log_max_tm_offloaded_op_size@5ec:4 rndv_offload_dc@5f2
              affiliate_nic_vport_criteria@600:8 native_port_num@608:8 num_vhca_ports@610:8
              flex_parser_id_gtpu_teid@618:4 trusted_vnic_vhca@61d sw_owner_id@61e
              reserve_not_to_use@61f max_num_of_monitor_counters@620:16
              num_ppcnt_monitor_counters@630:16 max_num_sf@640:16
              num_q_monitor_counters@650:16 sf@680 sf_set_partition@681 log_max_sf@683:5
              apu@688 migration@68d log_min_sf_size@690:8 max_num_sf_partitions@698:8
              uctx_cap@6a0:32 flex_parser_id_geneve_tlv_option_0@6c4:4
              flex_parser_id_icmp_dw1@6c8:4 flex_parser_id_icmp_dw0@6cc:4
              flex_parser_id_icmpv6_dw1@6d0:4 flex_parser_id_icmpv6_dw0@6d4:4
              flex_parser_id_outer_first_mpls_over_gre@6d8:4
              flex_parser_id_outer_first_mpls_over_udp_label@6dc:4
              max_num_match_definer@6e0:16 sf_base_id@6f0:16 flex_parser_id_gtpu_dw_2@700:4
              flex_parser_id_gtpu_first_ext_dw_0@704:4 num_total_dynamic_vf_msix@708:24
              dynamic_msix_table_size@734:12 regexp_mmo_qp@749 compress_mmo_qp@74a
              decompress_deflate_v1@74b min_dynamic_vf_msix_table_size@74c:4
              decompress_deflate_v2@750 max_dynamic_vf_msix_table_size@754:12
              log_max_num_header_modify_argument@763:5
              log_header_modify_argument_granularity_offset@768:4
              log_header_modify_argument_granularity@76c:4
              log_header_modify_argument_max_alloc@773:5 vhca_tunnel_commands@780:64
              match_definer_format_supported@7c0:64
              """);
  public static final Field HCA_CAP_2 = STRUCTURE.field("hca_cap_2", 0x020, 1);
  public static final Field VHCA_ID = STRUCTURE.field("vhca_id", 0x030, 16);
  public static final Field LOG_DMA_MMO_MAX_SIZE =
      STRUCTURE.field("log_dma_mmo_max_size", 0x06b, 5);
  public static final Field LOG_MAX_SRQ_SZ = STRUCTURE.field("log_max_srq_sz", 0x080, 8);
  public static final Field LOG_MAX_QP_SZ = STRUCTURE.field("log_max_qp_sz", 0x088, 8);
  public static final Field LOG_MAX_QP = STRUCTURE.field("log_max_qp", 0x09b, 5);
  public static final Field ECE_SUPPORT = STRUCTURE.field("ece_support", 0x0a3, 1);
  public static final Field LOG_MAX_CQ_SZ = STRUCTURE.field("log_max_cq_sz", 0x0c8, 8);
  public static final Field RELAXED_ORDERING_WRITE_UMR =
      STRUCTURE.field("relaxed_ordering_write_umr", 0x0d0, 1);
  public static final Field RELAXED_ORDERING_READ_UMR =
      STRUCTURE.field("relaxed_ordering_read_umr", 0x0d1, 1);
  public static final Field LOG_MAX_CQ = STRUCTURE.field("log_max_cq", 0x0db, 5);
  public static final Field RELAXED_ORDERING_WRITE =
      STRUCTURE.field("relaxed_ordering_write", 0x0e8, 1);
  public static final Field RELAXED_ORDERING_READ =
      STRUCTURE.field("relaxed_ordering_read", 0x0e9, 1);
  public static final Field LOG_MAX_MKEY = STRUCTURE.field("log_max_mkey", 0x0ea, 6);
  public static final Field DUMP_FILL_MKEY = STRUCTURE.field("dump_fill_mkey", 0x0f8, 1);
  public static final Field MAX_INDIRECTION = STRUCTURE.field("max_indirection", 0x100, 8);
  public static final Field FIXED_BUFFER_SIZE = STRUCTURE.field("fixed_buffer_size", 0x108, 1);
  public static final Field LOG_MAX_KLM_LIST_SIZE =
      STRUCTURE.field("log_max_klm_list_size", 0x11a, 6);
  public static final Field QPC_EXTENSION = STRUCTURE.field("qpc_extension", 0x122, 1);
  public static final Field LOG_MAX_RA_REQ_DC = STRUCTURE.field("log_max_ra_req_dc", 0x12a, 6);
  public static final Field LOG_MAX_RA_RES_DC = STRUCTURE.field("log_max_ra_res_dc", 0x13a, 6);
  public static final Field LOG_MAX_RA_REQ_QP = STRUCTURE.field("log_max_ra_req_qp", 0x14a, 6);
  public static final Field LOG_MAX_RA_RES_QP = STRUCTURE.field("log_max_ra_res_qp", 0x15a, 6);
  public static final Field CC_QUERY_ALLOWED = STRUCTURE.field("cc_query_allowed", 0x161, 1);
  public static final Field RNR_NAK_Q_COUNTERS = STRUCTURE.field("rnr_nak_q_counters", 0x168, 1);
  public static final Field GID_TABLE_SIZE = STRUCTURE.field("gid_table_size", 0x170, 16);
  public static final Field OUT_OF_SEQ_CNT = STRUCTURE.field("out_of_seq_cnt", 0x180, 1);
  public static final Field VPORT_COUNTERS = STRUCTURE.field("vport_counters", 0x181, 1);
  public static final Field RETRANSMISSION_Q_COUNTERS =
      STRUCTURE.field("retransmission_q_counters", 0x182, 1);
  public static final Field PKEY_TABLE_SIZE = STRUCTURE.field("pkey_table_size", 0x190, 16);
  public static final Field IB_VIRT = STRUCTURE.field("ib_virt", 0x1a2, 1);
  public static final Field DEVICE_MEMORY = STRUCTURE.field("device_memory", 0x1a8, 1);
  public static final Field ENHANCED_ERROR_Q_COUNTERS =
      STRUCTURE.field("enhanced_error_q_counters", 0x1b1, 1);
  public static final Field PORT_TYPE = STRUCTURE.field("port_type", 0x1b6, 2);
  public static final Field NUM_PORTS = STRUCTURE.field("num_ports", 0x1b8, 8);
  public static final Field LOG_MAX_MSG = STRUCTURE.field("log_max_msg", 0x1c3, 5);
  public static final Field MULTI_PATH_XRC_RDMA = STRUCTURE.field("multi_path_xrc_rdma", 0x1c8, 1);
  public static final Field MULTI_PATH_DC_RDMA = STRUCTURE.field("multi_path_dc_rdma", 0x1c9, 1);
  public static final Field MULTI_PATH_RC_RDMA = STRUCTURE.field("multi_path_rc_rdma", 0x1ca, 1);
  public static final Field CQE_VERSION = STRUCTURE.field("cqe_version", 0x1fc, 4);
  public static final Field COMPACT_ADDRESS_VECTOR =
      STRUCTURE.field("compact_address_vector", 0x200, 1);
  public static final Field IB_STRIDING_WQ = STRUCTURE.field("ib_striding_wq", 0x205, 1);
  public static final Field UMR_FENCE = STRUCTURE.field("umr_fence", 0x20a, 2);
  public static final Field DC_REQ_SCAT_DATA_CQE =
      STRUCTURE.field("dc_req_scat_data_cqe", 0x20c, 1);
  public static final Field WQ_SIGNATURE = STRUCTURE.field("wq_signature", 0x214, 1);
  public static final Field SCTR_DATA_CQE = STRUCTURE.field("sctr_data_cqe", 0x215, 1);
  public static final Field DCT = STRUCTURE.field("dct", 0x21a, 1);
  public static final Field ROCE = STRUCTURE.field("roce", 0x21d, 1);
  public static final Field ATOMIC = STRUCTURE.field("atomic", 0x21e, 1);
  public static final Field CQ_OI = STRUCTURE.field("cq_oi", 0x220, 1);
  public static final Field CQ_RESIZE = STRUCTURE.field("cq_resize", 0x221, 1);
  public static final Field CQ_MODERATION = STRUCTURE.field("cq_moderation", 0x222, 1);
  public static final Field CQ_PERIOD_MODE_MODIFY =
      STRUCTURE.field("cq_period_mode_modify", 0x223, 1);
  public static final Field IB_STRIDING_WQ_CQ_FIRST_INDICATION =
      STRUCTURE.field("ib_striding_wq_cq_first_indication", 0x225, 1);
  public static final Field PG = STRUCTURE.field("pg", 0x227, 1);
  public static final Field BLOCK_LB_MC = STRUCTURE.field("block_lb_mc", 0x228, 1);
  public static final Field SCQE_BREAK_MODERATION =
      STRUCTURE.field("scqe_break_moderation", 0x22a, 1);
  public static final Field CQ_PERIOD_START_FROM_CQE =
      STRUCTURE.field("cq_period_start_from_cqe", 0x22b, 1);
  public static final Field CD = STRUCTURE.field("cd", 0x22c, 1);
  public static final Field IMAICL = STRUCTURE.field("imaicl", 0x231, 1);
  public static final Field QKV = STRUCTURE.field("qkv", 0x236, 1);
  public static final Field PKV = STRUCTURE.field("pkv", 0x237, 1);
  public static final Field XRC = STRUCTURE.field("xrc", 0x23c, 1);
  public static final Field UD = STRUCTURE.field("ud", 0x23d, 1);
  public static final Field UC = STRUCTURE.field("uc", 0x23e, 1);
  public static final Field RC = STRUCTURE.field("rc", 0x23f, 1);
  public static final Field UAR_4K = STRUCTURE.field("uar_4k", 0x240, 1);
  public static final Field BF = STRUCTURE.field("bf", 0x260, 1);
  public static final Field LOG_BF_REG_SIZE = STRUCTURE.field("log_bf_reg_size", 0x26b, 5);
  public static final Field MAX_WQE_SZ_SQ = STRUCTURE.field("max_wqe_sz_sq", 0x290, 16);
  public static final Field MAX_WQE_SZ_RQ = STRUCTURE.field("max_wqe_sz_rq", 0x2b0, 16);
  public static final Field MAX_WQE_SZ_SQ_DC = STRUCTURE.field("max_wqe_sz_sq_dc", 0x2d0, 16);
  public static final Field MAX_QP_MCG = STRUCTURE.field("max_qp_mcg", 0x2e7, 25);
  public static final Field LOG_MAX_MCG = STRUCTURE.field("log_max_mcg", 0x318, 8);
  public static final Field LOG_MAX_PD = STRUCTURE.field("log_max_pd", 0x32b, 5);
  public static final Field DP_ORDERING_OOO_ALL_UD =
      STRUCTURE.field("dp_ordering_ooo_all_ud", 0x330, 1);
  public static final Field DP_ORDERING_OOO_ALL_UC =
      STRUCTURE.field("dp_ordering_ooo_all_uc", 0x331, 1);
  public static final Field DP_ORDERING_OOO_ALL_XRC =
      STRUCTURE.field("dp_ordering_ooo_all_xrc", 0x332, 1);
  public static final Field DP_ORDERING_OOO_ALL_DC =
      STRUCTURE.field("dp_ordering_ooo_all_dc", 0x333, 1);
  public static final Field DP_ORDERING_OOO_ALL_RC =
      STRUCTURE.field("dp_ordering_ooo_all_rc", 0x334, 1);
  public static final Field LOG_MAX_XRCD = STRUCTURE.field("log_max_xrcd", 0x33b, 5);
  public static final Field LOG_MAX_RMP = STRUCTURE.field("log_max_rmp", 0x383, 5);
  public static final Field EXT_STRIDE_NUM_RANGE =
      STRUCTURE.field("ext_stride_num_range", 0x3a0, 1);
  public static final Field SQ_TS_FORMAT = STRUCTURE.field("sq_ts_format", 0x440, 2);
  public static final Field LOG_MAX_UMEM = STRUCTURE.field("log_max_umem", 0x46b, 5);
  public static final Field DEVICE_FREQUENCY_KHZ =
      STRUCTURE.field("device_frequency_khz", 0x4e0, 32);
  public static final Field LOG_MAX_DCT_CONNECTIONS =
      STRUCTURE.field("log_max_dct_connections", 0x57b, 5);
  public static final Field LOG_MAX_DCI_STREAM_CHANNELS =
      STRUCTURE.field("log_max_dci_stream_channels", 0x58b, 5);
  public static final Field LOG_MAX_DCI_ERRORED_STREAMS =
      STRUCTURE.field("log_max_dci_errored_streams", 0x593, 5);
  public static final Field ENHANCED_CQE_COMPRESSION =
      STRUCTURE.field("enhanced_cqe_compression", 0x5b0, 1);
  public static final Field MINI_CQE_RESP_STRIDE_INDEX =
      STRUCTURE.field("mini_cqe_resp_stride_index", 0x5bc, 1);
  public static final Field CQE_COMPRESSION_128 = STRUCTURE.field("cqe_compression_128", 0x5be, 1);
  public static final Field CQE_COMPRESSION = STRUCTURE.field("cqe_compression", 0x5bf, 1);
  public static final Field CQE_COMPRESSION_TIMEOUT =
      STRUCTURE.field("cqe_compression_timeout", 0x5c0, 16);
  public static final Field CQE_COMPRESSION_MAX_NUM =
      STRUCTURE.field("cqe_compression_max_num", 0x5d0, 16);
  public static final Field TAG_MATCHING = STRUCTURE.field("tag_matching", 0x5f0, 1);
  public static final Field RNDV_OFFLOAD_RC = STRUCTURE.field("rndv_offload_rc", 0x5f1, 1);
  public static final Field LOG_TAG_MATCHING_LIST_SZ =
      STRUCTURE.field("log_tag_matching_list_sz", 0x5f3, 5);
  public static final Field LOG_MAX_XRQ = STRUCTURE.field("log_max_xrq", 0x5fb, 5);
  public static final Field WAIT_ON_DATA = STRUCTURE.field("wait_on_data", 0x68b, 1);
  public static final Field WAIT_ON_TIME = STRUCTURE.field("wait_on_time", 0x68c, 1);
  public static final Field DMA_MMO_QP = STRUCTURE.field("dma_mmo_qp", 0x748, 1);

  private CmdHcaCap() {}
}
