package dev.bluebell.hca.command;

import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about tag-matching queues. */
public final class XrqCommands {
  /** Input of CREATE_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrq_in_bits} of Linux. */
  public static final class CreateXrqIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("create_xrq_in", 2688).with("uid@010:16");
    public static final Area XRQ_CONTEXT = STRUCTURE.area("xrq_context", 0x080, Xrqc.STRUCTURE);

    private CreateXrqIn() {}
  }

  /** Output of CREATE_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrq_out_bits} of Linux. */
  public static final class CreateXrqOut {
    public static final Structure STRUCTURE = CommandHeaders.output("create_xrq_out", 128);
    public static final Field XRQN = STRUCTURE.field("xrqn", 0x048, 24);

    private CreateXrqOut() {}
  }

  /** Input of QUERY_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrq_in_bits} of Linux. */
  public static final class QueryXrqIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_xrq_in", 128);
    public static final Field XRQN = STRUCTURE.field("xrqn", 0x048, 24);

    private QueryXrqIn() {}
  }

  /** Output of QUERY_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrq_out_bits} of Linux. */
  public static final class QueryXrqOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_xrq_out", 2688);
    public static final Area XRQ_CONTEXT = STRUCTURE.area("xrq_context", 0x080, Xrqc.STRUCTURE);

    private QueryXrqOut() {}
  }

  /** Input of ARM_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_arm_xrq_in_bits} of Linux. */
  public static final class ArmXrqIn {
    public static final Structure STRUCTURE = CommandHeaders.input("arm_xrq_in", 128);
    public static final Field XRQN = STRUCTURE.field("xrqn", 0x048, 24);
    public static final Field LWM = STRUCTURE.field("lwm", 0x070, 16);

    private ArmXrqIn() {}
  }

  /** Input of DESTROY_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_xrq_in_bits} of Linux. */
  public static final class DestroyXrqIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("destroy_xrq_in", 128).with("uid@010:16");
    public static final Field XRQN = STRUCTURE.field("xrqn", 0x048, 24);

    private DestroyXrqIn() {}
  }

  /** XRQ context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_xrqc_bits} of Linux. */
  public static final class Xrqc {
    public static final Structure STRUCTURE = Structure.define("xrqc", 2560).with("rlkey@004");
    public static final Field STATE = STRUCTURE.field("state", 0x000, 4);
    public static final Field TOPOLOGY = STRUCTURE.field("topology", 0x014, 4);
    public static final Field OFFLOAD = STRUCTURE.field("offload", 0x01c, 4);
    public static final Field USER_INDEX = STRUCTURE.field("user_index", 0x028, 24);
    public static final Field CQN = STRUCTURE.field("cqn", 0x048, 24);
    public static final Field DC = STRUCTURE.field("dc", 0x07f, 1);
    public static final Area TAG_MATCHING_TOPOLOGY_CONTEXT =
        STRUCTURE.area(
            "tag_matching_topology_context", 0x100, TagMatchingTopologyContext.STRUCTURE);
    public static final Area WQ = STRUCTURE.area("wq", 0x400, Wq.STRUCTURE);

    /** topology: tag matching, {@code mlx5_ifc.h: MLX5_XRQC_TOPOLOGY_TAG_MATCHING}. */
    public static final int TOPOLOGY_TAG_MATCHING = 1;

    /** offload: rendezvous, {@code mlx5_ifc.h: MLX5_XRQC_OFFLOAD_RNDV}. */
    public static final int OFFLOAD_RNDV = 1;

    private Xrqc() {}
  }

  /**
   * The structure tag_matching_topology_context. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_tag_matching_topology_context_bits} of Linux.
   */
  public static final class TagMatchingTopologyContext {
    public static final Structure STRUCTURE =
        Structure.define("tag_matching_topology_context", 128);
    public static final Field LOG_MATCHING_LIST_SZ =
        STRUCTURE.field("log_matching_list_sz", 0x000, 4);
    public static final Field APPEND_NEXT_INDEX = STRUCTURE.field("append_next_index", 0x010, 16);
    public static final Field SW_PHASE_CNT = STRUCTURE.field("sw_phase_cnt", 0x020, 16);
    public static final Field HW_PHASE_CNT = STRUCTURE.field("hw_phase_cnt", 0x030, 16);

    private TagMatchingTopologyContext() {}
  }

  private XrqCommands() {}
}
