package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about the whole device. */
public final class DeviceCommands {
  /**
   * Output of QUERY_ADAPTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_adapter_out_bits} of Linux.
   */
  public static final class QueryAdapterOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_adapter_out", 2176);
    public static final Area QUERY_ADAPTER_STRUCT =
        STRUCTURE.area("query_adapter_struct", 0x080, QueryAdapterParamBlock.STRUCTURE);

    private QueryAdapterOut() {}
  }

  /**
   * The structure query_adapter_param_block. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_adapter_param_block_bits} of Linux.
   */
  public static final class QueryAdapterParamBlock {
    public static final Structure STRUCTURE =
        Structure.define("query_adapter_param_block", 2048)
            .with("ieee_vendor_id@0c8:24 vsd_vendor_id@0f0:16 vsd@100:1664");
    public static final Field VSD_CONTD_PSID = STRUCTURE.field("vsd_contd_psid", 0x780, 128);

    private QueryAdapterParamBlock() {}
  }

  /**
   * Input of QUERY_SPECIAL_CONTEXTS. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_special_contexts_in_bits} of Linux.
   */
  public static final class QuerySpecialContextsIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("query_special_contexts_in", 128);

    private QuerySpecialContextsIn() {}
  }

  /**
   * Output of QUERY_SPECIAL_CONTEXTS. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_query_special_contexts_out_bits} of Linux.
   */
  public static final class QuerySpecialContextsOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_special_contexts_out", 256)
            .with("resd_lkey@060:32 null_mkey@080:32");
    public static final Field DUMP_FILL_MKEY = STRUCTURE.field("dump_fill_mkey", 0x040, 32);

    private QuerySpecialContextsOut() {}
  }

  /** Input of QUERY_LAG. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_lag_in_bits} of Linux. */
  public static final class QueryLagIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("query_lag_in", 128).with("uid@010:16");

    private QueryLagIn() {}
  }

  /** Output of QUERY_LAG. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_lag_out_bits} of Linux. */
  public static final class QueryLagOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_lag_out", 128)
            .with(
                """
                ctx@040:64 ctx.fdb_selection_mode@040 ctx.port_select_mode@055:3 ctx.active_port@06c:4
                ctx.tx_remap_affinity_2@074:4 ctx.tx_remap_affinity_1@07c:4
                """);
    public static final Field CTX = STRUCTURE.field("ctx");
    public static final Field CTX_LAG_STATE = STRUCTURE.field("ctx.lag_state", 0x05d, 3);

    private QueryLagOut() {}
  }

  private DeviceCommands() {}
}
