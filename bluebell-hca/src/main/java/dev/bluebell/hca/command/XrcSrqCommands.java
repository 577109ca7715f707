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
    private static final Structure.Definition D = CommandHeaders.input("create_xrc_srq_in", 2176);

    public static final Area XRC_SRQ_CONTEXT_ENTRY =
        D.area("xrc_srq_context_entry", 0x080, XrcSrqc.STRUCTURE);
    public static final Field XRC_SRQ_UMEM_VALID = D.field("xrc_srq_umem_valid", 0x2e0, 1);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private CreateXrcSrqIn() {}
  }

  /**
   * Output of CREATE_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrc_srq_out_bits} of
   * Linux.
   */
  public static final class CreateXrcSrqOut {
    private static final Structure.Definition D = CommandHeaders.output("create_xrc_srq_out", 128);

    public static final Field XRC_SRQN = D.field("xrc_srqn", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private CreateXrcSrqOut() {}
  }

  /**
   * Input of QUERY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrc_srq_in_bits} of Linux.
   */
  public static final class QueryXrcSrqIn {
    private static final Structure.Definition D = CommandHeaders.input("query_xrc_srq_in", 128);

    public static final Field XRC_SRQN = D.field("xrc_srqn", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private QueryXrcSrqIn() {}
  }

  /**
   * Output of QUERY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrc_srq_out_bits} of Linux.
   */
  public static final class QueryXrcSrqOut {
    private static final Structure.Definition D = CommandHeaders.output("query_xrc_srq_out", 2176);

    public static final Area XRC_SRQ_CONTEXT_ENTRY =
        D.area("xrc_srq_context_entry", 0x080, XrcSrqc.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private QueryXrcSrqOut() {}
  }

  /** Input of ARM_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_arm_xrc_srq_in_bits} of Linux. */
  public static final class ArmXrcSrqIn {
    private static final Structure.Definition D = CommandHeaders.input("arm_xrc_srq_in", 128);

    public static final Field XRC_SRQN = D.field("xrc_srqn", 0x048, 24);
    public static final Field LWM = D.field("lwm", 0x070, 16);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    /** op_mod: {@code MLX5_ARM_XRC_SRQ_IN_OP_MOD_XRC_SRQ}. */
    public static final int OP_MOD_XRC_SRQ = 1;

    private ArmXrcSrqIn() {}
  }

  /**
   * Input of DESTROY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_xrc_srq_in_bits} of
   * Linux.
   */
  public static final class DestroyXrcSrqIn {
    private static final Structure.Definition D = CommandHeaders.input("destroy_xrc_srq_in", 128);

    public static final Field XRC_SRQN = D.field("xrc_srqn", 0x048, 24);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private DestroyXrcSrqIn() {}
  }

  /**
   * XRC shared receive queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_xrc_srqc_bits} of Linux.
   */
  public static final class XrcSrqc {
    private static final Structure.Definition D = Structure.define("xrc_srqc", 512);

    public static final Field STATE = D.field("state", 0x000, 4);
    public static final Field LOG_XRC_SRQ_SIZE = D.field("log_xrc_srq_size", 0x004, 4);
    public static final Field WQ_SIGNATURE = D.field("wq_signature", 0x020, 1);
    public static final Field CONT_SRQ = D.field("cont_srq", 0x021, 1);
    public static final Field BASIC_CYCLIC_RCV_WQE = D.field("basic_cyclic_rcv_wqe", 0x024, 1);
    public static final Field LOG_RQ_STRIDE = D.field("log_rq_stride", 0x025, 3);
    public static final Field XRCD = D.field("xrcd", 0x028, 24);
    public static final Field PAGE_OFFSET = D.field("page_offset", 0x040, 6);
    public static final Field DBR_UMEM_VALID = D.field("dbr_umem_valid", 0x047, 1);
    public static final Field CQN = D.field("cqn", 0x048, 24);
    public static final Field USER_INDEX_EQUAL_XRC_SRQN =
        D.field("user_index_equal_xrc_srqn", 0x080, 1);
    public static final Field LOG_PAGE_SIZE = D.field("log_page_size", 0x082, 6);
    public static final Field USER_INDEX = D.field("user_index", 0x088, 24);
    public static final Field PD = D.field("pd", 0x0c8, 24);
    public static final Field LWM = D.field("lwm", 0x0e0, 16);

    public static final Structure STRUCTURE =
        D.with("rlky@023 wqe_cnt@0f0:16 db_record_addr_h@140:32 db_record_addr_l@160:30")
            .structure();

    private XrcSrqc() {}
  }

  private XrcSrqCommands() {}
}
