package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure cmd_hca_cap_2. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_hca_cap_2_bits} of Linux.
 */
public final class CmdHcaCap2 {
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
  public static final Field ENCAP_ENTROPY_HASH_TYPE = D.field("encap_entropy_hash_type", 0x438, 4);
  public static final Field FLOW_TABLE_HASH_TYPE = D.field("flow_table_hash_type", 0x43c, 4);

  public static final Structure STRUCTURE = D.structure();

  private CmdHcaCap2() {}
}
