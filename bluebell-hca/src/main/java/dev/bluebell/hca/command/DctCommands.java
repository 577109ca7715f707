package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about DC targets. */
public final class DctCommands {
  /** Input of CREATE_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_dct_in_bits} of Linux. */
  public static final class CreateDctIn {
    private static final Structure.Definition D = CommandHeaders.input("create_dct_in", 1024);

    public static final Area DCT_CONTEXT_ENTRY = D.area("dct_context_entry", 0x080, Dctc.STRUCTURE);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private CreateDctIn() {}
  }

  /** Output of CREATE_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_dct_out_bits} of Linux. */
  public static final class CreateDctOut {
    private static final Structure.Definition D = CommandHeaders.output("create_dct_out", 128);

    public static final Field DCTN = D.field("dctn", 0x048, 24);

    public static final Structure STRUCTURE = D.with("ece@060:32").structure();

    private CreateDctOut() {}
  }

  /** Input of QUERY_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_dct_in_bits} of Linux. */
  public static final class QueryDctIn {
    private static final Structure.Definition D = CommandHeaders.input("query_dct_in", 128);

    public static final Field DCTN = D.field("dctn", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private QueryDctIn() {}
  }

  /** Output of QUERY_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_dct_out_bits} of Linux. */
  public static final class QueryDctOut {
    private static final Structure.Definition D = CommandHeaders.output("query_dct_out", 1024);

    public static final Area DCTC = D.area("dctc", 0x080, Dctc.STRUCTURE);
    public static final Area DCT_CONTEXT_ENTRY = D.area("dct_context_entry", 0x080, Dctc.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private QueryDctOut() {}
  }

  /**
   * Input of ARM_DCT_FOR_KEY_VIOLATION. Mirrors {@code mlx5_ifc.h: mlx5_ifc_arm_dct_in_bits} of
   * Linux.
   */
  public static final class ArmDctIn {
    private static final Structure.Definition D = CommandHeaders.input("arm_dct_in", 128);

    public static final Field DCT_NUMBER = D.field("dct_number", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private ArmDctIn() {}
  }

  /** Input of DRAIN_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_drain_dct_in_bits} of Linux. */
  public static final class DrainDctIn {
    private static final Structure.Definition D = CommandHeaders.input("drain_dct_in", 128);

    public static final Field DCTN = D.field("dctn", 0x048, 24);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private DrainDctIn() {}
  }

  /** Input of DESTROY_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_dct_in_bits} of Linux. */
  public static final class DestroyDctIn {
    private static final Structure.Definition D = CommandHeaders.input("destroy_dct_in", 128);

    public static final Field DCTN = D.field("dctn", 0x048, 24);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private DestroyDctIn() {}
  }

  /**
   * DC target context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_dctc_bits} of Linux. In UCX's header it
   * is longer, and {@code ece} is one word later, at 0x200, behind the end of this one.
   */
  public static final class Dctc {
    private static final Structure.Definition D = Structure.define("dctc", 512);

    public static final Field STATE = D.field("state", 0x004, 4);
    public static final Field OFFLOAD_TYPE = D.field("offload_type", 0x018, 4);
    public static final Field DP_ORDERING_FORCE = D.field("dp_ordering_force", 0x027, 1);
    public static final Field USER_INDEX = D.field("user_index", 0x028, 24);
    public static final Field CQN = D.field("cqn", 0x048, 24);
    public static final Field ATOMIC_MODE = D.field("atomic_mode", 0x068, 4);
    public static final Field RRE = D.field("rre", 0x06c, 1);
    public static final Field RWE = D.field("rwe", 0x06d, 1);
    public static final Field RAE = D.field("rae", 0x06e, 1);
    public static final Field DP_ORDERING_0 = D.field("dp_ordering_0", 0x073, 1);
    public static final Field DP_ORDERING_1 = D.field("dp_ordering_1", 0x074, 1);
    public static final Field CS_RES = D.field("cs_res", 0x088, 8);
    public static final Field MIN_RNR_NAK = D.field("min_rnr_nak", 0x093, 5);
    public static final Field SRQN_XRQN = D.field("srqn_xrqn", 0x0a8, 24);
    public static final Field PD = D.field("pd", 0x0c8, 24);
    public static final Field TCLASS = D.field("tclass", 0x0e0, 8);
    public static final Field FLOW_LABEL = D.field("flow_label", 0x0ec, 20);
    public static final Field DC_ACCESS_KEY = D.field("dc_access_key", 0x100, 64);
    public static final Field MTU = D.field("mtu", 0x145, 3);
    public static final Field PORT = D.field("port", 0x148, 8);
    public static final Field PKEY_INDEX = D.field("pkey_index", 0x150, 16);
    public static final Field MY_ADDR_INDEX = D.field("my_addr_index", 0x168, 8);
    public static final Field HOP_LIMIT = D.field("hop_limit", 0x178, 8);
    public static final Field DC_ACCESS_KEY_VIOLATION_COUNT =
        D.field("dc_access_key_violation_count", 0x180, 32);
    public static final Field ETH_PRIO = D.field("eth_prio", 0x1b5, 3);

    public static final Structure STRUCTURE =
        D.with(
                """
                data_in_order@01d counter_set_id@060:8 atomic_like_write_en@06f
                latency_sensitive@070 rlky@071 free_ar@072 dei_cfi@1b4 ecn@1b8:2 dscp@1ba:6
                ece@1e0:32
                """)
            .structure();

    /** state: accepts requests, {@code MLX5_DCTC_STATE_ACTIVE}. */
    public static final int STATE_ACTIVE = 0;

    /** state: all sessions have ended and no new ones start, {@code MLX5_DCTC_STATE_DRAINED}. */
    public static final int STATE_DRAINED = 2;

    private Dctc() {}
  }

  private DctCommands() {}
}
