package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Entries of event queues, with what each kind of event holds. */
public final class EqeFormat {
  /** Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_inter_comp_event_bits} of Linux. */
  private static final Structure CMD_INTER_COMP_EVENT =
      Structure.define("cmd_inter_comp_event", 224).with("command_completion_vector@000:32");

  /** Mirrors {@code mlx5_ifc.h: mlx5_ifc_rdma_page_fault_event_bits} of Linux. */
  private static final Structure RDMA_PAGE_FAULT_EVENT =
      Structure.define("rdma_page_fault_event", 224)
          .with(
              """
              bytes_committed@000:32 r_key@020:32 packet_len@050:16 rdma_op_len@060:32
              rdma_va@080:64 rdma@0c5 write@0c6 requestor@0c7 qp_number@0c8:24
              """);

  /** Mirrors {@code mlx5_ifc.h: mlx5_ifc_wqe_associated_page_fault_event_bits} of Linux. */
  private static final Structure WQE_ASSOCIATED_PAGE_FAULT_EVENT =
      Structure.define("wqe_associated_page_fault_event", 224)
          .with(
              """
              bytes_committed@000:32 wqe_index@030:16 len@050:16 rdma@0c5 write_read@0c6
              requestor@0c7 qpn@0c8:24
              """);

  /** Event queue entry. Mirrors {@code mlx5_ifc.h: mlx5_ifc_eqe_bits} of Linux. */
  public static final class Eqe {
    public static final Structure STRUCTURE =
        Structure.define("eqe", 512)
            .with(
                """
                event_data@100:224 event_data.db_bf_congestion_event@100:192
                event_data.db_bf_congestion_event.event_subtype@100:8
                event_data.db_bf_congestion_event.congestion_level@110:8
                event_data.stall_vl_event.port_num@118 event_data.stall_vl_event.vl@11c:4
                event_data.gpio_event.gpio_event_hi@160:32
                event_data.gpio_event.gpio_event_lo@180:32 signature@1f0:8 owner@1ff
                """)
            .with("event_data.cmd_inter_comp_event", 0x100, CMD_INTER_COMP_EVENT)
            .with("event_data.rdma_page_fault_event", 0x100, RDMA_PAGE_FAULT_EVENT)
            .with(
                "event_data.wqe_associated_page_fault_event",
                0x100,
                WQE_ASSOCIATED_PAGE_FAULT_EVENT);
    public static final Field EVENT_TYPE = STRUCTURE.field("event_type", 0x008, 8);
    public static final Field EVENT_SUB_TYPE = STRUCTURE.field("event_sub_type", 0x018, 8);
    public static final Area EVENT_DATA_COMP_EVENT =
        STRUCTURE.area("event_data.comp_event", 0x100, CompEvent.STRUCTURE);
    public static final Area EVENT_DATA_CQ_ERROR =
        STRUCTURE.area("event_data.cq_error", 0x100, CqError.STRUCTURE);
    public static final Area EVENT_DATA_DCT_EVENTS =
        STRUCTURE.area("event_data.dct_events", 0x100, DctEvents.STRUCTURE);
    public static final Area EVENT_DATA_QP_EVENTS =
        STRUCTURE.area("event_data.qp_events", 0x100, QpEvents.STRUCTURE);
    public static final Field EVENT_DATA_PORT_STATE_CHANGE_EVENT_PORT_NUM =
        STRUCTURE.field("event_data.port_state_change_event.port_num", 0x140, 4);

    private Eqe() {}
  }

  /** Data of a completion event. Mirrors {@code mlx5_ifc.h: mlx5_ifc_comp_event_bits} of Linux. */
  public static final class CompEvent {
    public static final Structure STRUCTURE = Structure.define("comp_event", 224);
    public static final Field CQ_NUMBER = STRUCTURE.field("cq_number", 0x0c8, 24);

    private CompEvent() {}
  }

  /** Data of a CQ error event. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cq_error_bits} of Linux. */
  public static final class CqError {
    public static final Structure STRUCTURE = Structure.define("cq_error", 224);
    public static final Field CQN = STRUCTURE.field("cqn", 0x008, 24);
    public static final Field SYNDROME = STRUCTURE.field("syndrome", 0x058, 8);

    private CqError() {}
  }

  /** The structure dct_events. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dct_events_bits} of Linux. */
  public static final class DctEvents {
    public static final Structure STRUCTURE = Structure.define("dct_events", 224);
    public static final Field DCT_NUMBER = STRUCTURE.field("dct_number", 0x0c8, 24);

    private DctEvents() {}
  }

  /** Data of a queue pair event. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qp_events_bits} of Linux. */
  public static final class QpEvents {
    public static final Structure STRUCTURE = Structure.define("qp_events", 224).with("type@0a0:8");
    public static final Field QPN_RQN_SQN = STRUCTURE.field("qpn_rqn_sqn", 0x0c8, 24);

    private QpEvents() {}
  }

  private EqeFormat() {}
}
