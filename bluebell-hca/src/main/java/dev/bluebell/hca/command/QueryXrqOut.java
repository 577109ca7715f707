package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrq_out_bits} of Linux. */
public final class QueryXrqOut {
  private static final Structure.Definition D = Structure.define("query_xrq_out", 2688);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area XRQ_CONTEXT = D.area("xrq_context", 0x080, Xrqc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryXrqOut() {}
}
