package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_tis_out_bits} of Linux. */
public final class QueryTisOut {
  private static final Structure.Definition D = Structure.define("query_tis_out", 1408);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area TIS_CONTEXT = D.area("tis_context", 0x080, Tisc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryTisOut() {}
}
