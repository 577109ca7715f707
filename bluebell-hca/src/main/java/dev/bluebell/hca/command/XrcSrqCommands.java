package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about shared receive queues of XRC. */
public final class XrcSrqCommands {
  /**
   * Input of CREATE_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrc_srq_in_bits} of Linux.
   */
  public static final class CreateXrcSrqIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("create_xrc_srq_in", 2176).with("uid@010:16");
    public static final Area XRC_SRQ_CONTEXT_ENTRY =
        STRUCTURE.area("xrc_srq_context_entry", 0x080, XrcSrqc.STRUCTURE);
    public static final Field XRC_SRQ_UMEM_VALID = STRUCTURE.field("xrc_srq_umem_valid", 0x2e0, 1);

    private CreateXrcSrqIn() {}
  }

  /**
   * Output of CREATE_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrc_srq_out_bits} of
   * Linux.
   */
  public static final class CreateXrcSrqOut {
    public static final Structure STRUCTURE = CommandHeaders.output("create_xrc_srq_out", 128);
    public static final Field XRC_SRQN = STRUCTURE.field("xrc_srqn", 0x048, 24);

    private CreateXrcSrqOut() {}
  }

  /**
   * Input of QUERY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrc_srq_in_bits} of Linux.
   */
  public static final class QueryXrcSrqIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_xrc_srq_in", 128);
    public static final Field XRC_SRQN = STRUCTURE.field("xrc_srqn", 0x048, 24);

    private QueryXrcSrqIn() {}
  }

  /**
   * Output of QUERY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrc_srq_out_bits} of Linux.
   */
  public static final class QueryXrcSrqOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_xrc_srq_out", 2176);
    public static final Area XRC_SRQ_CONTEXT_ENTRY =
        STRUCTURE.area("xrc_srq_context_entry", 0x080, XrcSrqc.STRUCTURE);

    private QueryXrcSrqOut() {}
  }

  /** Input of ARM_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_arm_xrc_srq_in_bits} of Linux. */
  public static final class ArmXrcSrqIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("arm_xrc_srq_in", 128).with("uid@010:16");
    public static final Field XRC_SRQN = STRUCTURE.field("xrc_srqn", 0x048, 24);
    public static final Field LWM = STRUCTURE.field("lwm", 0x070, 16);

    /** op_mod: {@code MLX5_ARM_XRC_SRQ_IN_OP_MOD_XRC_SRQ}. */
    public static final int OP_MOD_XRC_SRQ = 1;

    private ArmXrcSrqIn() {}
  }

  /**
   * Input of DESTROY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_xrc_srq_in_bits} of
   * Linux.
   */
  public static final class DestroyXrcSrqIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("destroy_xrc_srq_in", 128).with("uid@010:16");
    public static final Field XRC_SRQN = STRUCTURE.field("xrc_srqn", 0x048, 24);

    private DestroyXrcSrqIn() {}
  }

  /**
   * XRC shared receive queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_xrc_srqc_bits} of Linux.
   */
  public static final class XrcSrqc {
    public static final Structure STRUCTURE =
        Structure.define("xrc_srqc", 512)
            .with("rlky@023 wqe_cnt@0f0:16 db_record_addr_h@140:32 db_record_addr_l@160:30");
    public static final Field STATE = STRUCTURE.field("state", 0x000, 4);
    public static final Field LOG_XRC_SRQ_SIZE = STRUCTURE.field("log_xrc_srq_size", 0x004, 4);
    public static final Field WQ_SIGNATURE = STRUCTURE.field("wq_signature", 0x020, 1);
    public static final Field CONT_SRQ = STRUCTURE.field("cont_srq", 0x021, 1);
    public static final Field BASIC_CYCLIC_RCV_WQE =
        STRUCTURE.field("basic_cyclic_rcv_wqe", 0x024, 1);
    public static final Field LOG_RQ_STRIDE = STRUCTURE.field("log_rq_stride", 0x025, 3);
    public static final Field XRCD = STRUCTURE.field("xrcd", 0x028, 24);
    public static final Field PAGE_OFFSET = STRUCTURE.field("page_offset", 0x040, 6);
    public static final Field DBR_UMEM_VALID = STRUCTURE.field("dbr_umem_valid", 0x047, 1);
    public static final Field CQN = STRUCTURE.field("cqn", 0x048, 24);
    public static final Field USER_INDEX_EQUAL_XRC_SRQN =
        STRUCTURE.field("user_index_equal_xrc_srqn", 0x080, 1);
    public static final Field LOG_PAGE_SIZE = STRUCTURE.field("log_page_size", 0x082, 6);
    public static final Field USER_INDEX = STRUCTURE.field("user_index", 0x088, 24);
    public static final Field PD = STRUCTURE.field("pd", 0x0c8, 24);
    public static final Field LWM = STRUCTURE.field("lwm", 0x0e0, 16);

    private XrcSrqc() {}
  }

  private XrcSrqCommands() {}
}
