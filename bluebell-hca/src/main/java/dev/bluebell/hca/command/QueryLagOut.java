package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_LAG. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_lag_out_bits} of Linux. */
public final class QueryLagOut {
  private static final Structure.Definition D = Structure.define("query_lag_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field CTX = D.field("ctx", 0x040, 64);
  public static final Field CTX_FDB_SELECTION_MODE = D.field("ctx.fdb_selection_mode", 0x040, 1);
  public static final Field CTX_PORT_SELECT_MODE = D.field("ctx.port_select_mode", 0x055, 3);
  public static final Field CTX_LAG_STATE = D.field("ctx.lag_state", 0x05d, 3);
  public static final Field CTX_ACTIVE_PORT = D.field("ctx.active_port", 0x06c, 4);
  public static final Field CTX_TX_REMAP_AFFINITY_2 = D.field("ctx.tx_remap_affinity_2", 0x074, 4);
  public static final Field CTX_TX_REMAP_AFFINITY_1 = D.field("ctx.tx_remap_affinity_1", 0x07c, 4);

  public static final Structure STRUCTURE = D.structure();

  private QueryLagOut() {}
}
