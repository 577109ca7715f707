package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Event queue entry. Mirrors {@code mlx5_ifc.h: mlx5_ifc_eqe_bits} of Linux. */
public final class Eqe {
  private static final Structure.Definition D = Structure.define("eqe", 512);

  public static final Field EVENT_TYPE = D.field("event_type", 0x008, 8);
  public static final Field EVENT_SUB_TYPE = D.field("event_sub_type", 0x018, 8);
  public static final Area EVENT_DATA_CMD_INTER_COMP_EVENT =
      D.area("event_data.cmd_inter_comp_event", 0x100, CmdInterCompEvent.STRUCTURE);
  public static final Area EVENT_DATA_COMP_EVENT =
      D.area("event_data.comp_event", 0x100, CompEvent.STRUCTURE);
  public static final Area EVENT_DATA_CQ_ERROR =
      D.area("event_data.cq_error", 0x100, CqError.STRUCTURE);
  public static final Area EVENT_DATA_DCT_EVENTS =
      D.area("event_data.dct_events", 0x100, DctEvents.STRUCTURE);
  public static final Area EVENT_DATA_QP_EVENTS =
      D.area("event_data.qp_events", 0x100, QpEvents.STRUCTURE);
  public static final Area EVENT_DATA_RDMA_PAGE_FAULT_EVENT =
      D.area("event_data.rdma_page_fault_event", 0x100, RdmaPageFaultEvent.STRUCTURE);
  public static final Area EVENT_DATA_WQE_ASSOCIATED_PAGE_FAULT_EVENT =
      D.area(
          "event_data.wqe_associated_page_fault_event",
          0x100,
          WqeAssociatedPageFaultEvent.STRUCTURE);
  public static final Field EVENT_DATA = D.field("event_data", 0x100, 224);
  public static final Field EVENT_DATA_DB_BF_CONGESTION_EVENT =
      D.field("event_data.db_bf_congestion_event", 0x100, 192);
  public static final Field EVENT_DATA_DB_BF_CONGESTION_EVENT_EVENT_SUBTYPE =
      D.field("event_data.db_bf_congestion_event.event_subtype", 0x100, 8);
  public static final Field EVENT_DATA_DB_BF_CONGESTION_EVENT_CONGESTION_LEVEL =
      D.field("event_data.db_bf_congestion_event.congestion_level", 0x110, 8);
  public static final Field EVENT_DATA_STALL_VL_EVENT_PORT_NUM =
      D.field("event_data.stall_vl_event.port_num", 0x118, 1);
  public static final Field EVENT_DATA_STALL_VL_EVENT_VL =
      D.field("event_data.stall_vl_event.vl", 0x11c, 4);
  public static final Field EVENT_DATA_PORT_STATE_CHANGE_EVENT_PORT_NUM =
      D.field("event_data.port_state_change_event.port_num", 0x140, 4);
  public static final Field EVENT_DATA_GPIO_EVENT_GPIO_EVENT_HI =
      D.field("event_data.gpio_event.gpio_event_hi", 0x160, 32);
  public static final Field EVENT_DATA_GPIO_EVENT_GPIO_EVENT_LO =
      D.field("event_data.gpio_event.gpio_event_lo", 0x180, 32);
  public static final Field SIGNATURE = D.field("signature", 0x1f0, 8);
  public static final Field OWNER = D.field("owner", 0x1ff, 1);

  public static final Structure STRUCTURE = D.structure();

  private Eqe() {}
}
