package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_ADAPTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_adapter_out_bits} of Linux.
 */
public final class QueryAdapterOut {
  private static final Structure.Definition D = Structure.define("query_adapter_out", 2176);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area QUERY_ADAPTER_STRUCT =
      D.area("query_adapter_struct", 0x080, QueryAdapterParamBlock.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryAdapterOut() {}
}
