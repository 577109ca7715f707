package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_SPECIAL_CONTEXTS. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_query_special_contexts_out_bits} of Linux.
 */
public final class QuerySpecialContextsOut {
  private static final Structure.Definition D = Structure.define("query_special_contexts_out", 256);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field DUMP_FILL_MKEY = D.field("dump_fill_mkey", 0x040, 32);
  public static final Field RESD_LKEY = D.field("resd_lkey", 0x060, 32);
  public static final Field NULL_MKEY = D.field("null_mkey", 0x080, 32);

  public static final Structure STRUCTURE = D.structure();

  private QuerySpecialContextsOut() {}
}
