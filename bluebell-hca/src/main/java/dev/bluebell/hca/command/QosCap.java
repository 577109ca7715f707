package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The structure qos_cap. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qos_cap_bits} of Linux. */
public final class QosCap {
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
  public static final Field LOG_ESW_MAX_SCHED_DEPTH = D.field("log_esw_max_sched_depth", 0x00c, 4);
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
  public static final Field LOG_METER_ASO_MAX_ALLOC = D.field("log_meter_aso_max_alloc", 0x12b, 5);
  public static final Field LOG_MAX_NUM_METER_ASO = D.field("log_max_num_meter_aso", 0x133, 5);

  public static final Structure STRUCTURE = D.structure();

  private QosCap() {}
}
