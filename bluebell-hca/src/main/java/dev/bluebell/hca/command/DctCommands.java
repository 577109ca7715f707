package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about DC targets. */
public final class DctCommands {
  /** Input of CREATE_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_dct_in_bits} of Linux. */
  public static final class CreateDctIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("create_dct_in", 1024).with("uid@010:16");
    public static final Area DCT_CONTEXT_ENTRY =
        STRUCTURE.area("dct_context_entry", 0x080, Dctc.STRUCTURE);

    private CreateDctIn() {}
  }

  /** Output of CREATE_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_dct_out_bits} of Linux. */
  public static final class CreateDctOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("create_dct_out", 128).with("ece@060:32");
    public static final Field DCTN = STRUCTURE.field("dctn", 0x048, 24);

    private CreateDctOut() {}
  }

  /** Input of QUERY_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_dct_in_bits} of Linux. */
  public static final class QueryDctIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_dct_in", 128);
    public static final Field DCTN = STRUCTURE.field("dctn", 0x048, 24);

    private QueryDctIn() {}
  }

  /** Output of QUERY_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_dct_out_bits} of Linux. */
  public static final class QueryDctOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_dct_out", 1024);
    public static final Area DCTC = STRUCTURE.area("dctc", 0x080, Dctc.STRUCTURE);
    public static final Area DCT_CONTEXT_ENTRY =
        STRUCTURE.area("dct_context_entry", 0x080, Dctc.STRUCTURE);

    private QueryDctOut() {}
  }

  /**
   * Input of ARM_DCT_FOR_KEY_VIOLATION. Mirrors {@code mlx5_ifc.h: mlx5_ifc_arm_dct_in_bits} of
   * Linux.
   */
  public static final class ArmDctIn {
    public static final Structure STRUCTURE = CommandHeaders.input("arm_dct_in", 128);
    public static final Field DCT_NUMBER = STRUCTURE.field("dct_number", 0x048, 24);

    private ArmDctIn() {}
  }

  /** Input of DRAIN_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_drain_dct_in_bits} of Linux. */
  public static final class DrainDctIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("drain_dct_in", 128).with("uid@010:16");
    public static final Field DCTN = STRUCTURE.field("dctn", 0x048, 24);

    private DrainDctIn() {}
  }

  /** Input of DESTROY_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_dct_in_bits} of Linux. */
  public static final class DestroyDctIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("destroy_dct_in", 128).with("uid@010:16");
    public static final Field DCTN = STRUCTURE.field("dctn", 0x048, 24);

    private DestroyDctIn() {}
  }

  /**
   * DC target context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dctc_bits} of Linux. In UCX's header it
   * is longer, and {@code ece} is one word later, at 0x200, behind the end of this one.
   */
  public static final class Dctc {
    public static final Structure STRUCTURE =
        Structure.define("dctc", 512)
            .with(
                """
                data_in_order@01d counter_set_id@060:8 atomic_like_write_en@06f
                latency_sensitive@070 rlky@071 free_ar@072 dei_cfi@1b4 ecn@1b8:2 dscp@1ba:6
                ece@1e0:32
                """);
    public static final Field STATE = STRUCTURE.field("state", 0x004, 4);
    public static final Field OFFLOAD_TYPE = STRUCTURE.field("offload_type", 0x018, 4);
    public static final Field DP_ORDERING_FORCE = STRUCTURE.field("dp_ordering_force", 0x027, 1);
    public static final Field USER_INDEX = STRUCTURE.field("user_index", 0x028, 24);
    public static final Field CQN = STRUCTURE.field("cqn", 0x048, 24);
    public static final Field ATOMIC_MODE = STRUCTURE.field("atomic_mode", 0x068, 4);
    public static final Field RRE = STRUCTURE.field("rre", 0x06c, 1);
    public static final Field RWE = STRUCTURE.field("rwe", 0x06d, 1);
    public static final Field RAE = STRUCTURE.field("rae", 0x06e, 1);
    public static final Field DP_ORDERING_0 = STRUCTURE.field("dp_ordering_0", 0x073, 1);
    public static final Field DP_ORDERING_1 = STRUCTURE.field("dp_ordering_1", 0x074, 1);
    public static final Field CS_RES = STRUCTURE.field("cs_res", 0x088, 8);
    public static final Field MIN_RNR_NAK = STRUCTURE.field("min_rnr_nak", 0x093, 5);
    public static final Field SRQN_XRQN = STRUCTURE.field("srqn_xrqn", 0x0a8, 24);
    public static final Field PD = STRUCTURE.field("pd", 0x0c8, 24);
    public static final Field TCLASS = STRUCTURE.field("tclass", 0x0e0, 8);
    public static final Field FLOW_LABEL = STRUCTURE.field("flow_label", 0x0ec, 20);
    public static final Field DC_ACCESS_KEY = STRUCTURE.field("dc_access_key", 0x100, 64);
    public static final Field MTU = STRUCTURE.field("mtu", 0x145, 3);
    public static final Field PORT = STRUCTURE.field("port", 0x148, 8);
    public static final Field PKEY_INDEX = STRUCTURE.field("pkey_index", 0x150, 16);
    public static final Field MY_ADDR_INDEX = STRUCTURE.field("my_addr_index", 0x168, 8);
    public static final Field HOP_LIMIT = STRUCTURE.field("hop_limit", 0x178, 8);
    public static final Field DC_ACCESS_KEY_VIOLATION_COUNT =
        STRUCTURE.field("dc_access_key_violation_count", 0x180, 32);
    public static final Field ETH_PRIO = STRUCTURE.field("eth_prio", 0x1b5, 3);

    /** state: accepts requests, {@code MLX5_DCTC_STATE_ACTIVE}. */
    public static final int STATE_ACTIVE = 0;

    /** state: all sessions have ended and no new ones start, {@code MLX5_DCTC_STATE_DRAINED}. */
    public static final int STATE_DRAINED = 2;

    private Dctc() {}
  }

  private DctCommands() {}
}
