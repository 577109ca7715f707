package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_XRC_SRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_xrc_srq_out_bits} of Linux.
 */
public final class QueryXrcSrqOut {
  private static final Structure.Definition D = Structure.define("query_xrc_srq_out", 2176);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area XRC_SRQ_CONTEXT_ENTRY =
      D.area("xrc_srq_context_entry", 0x080, XrcSrqc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryXrcSrqOut() {}
}
