package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_HCA_VPORT_CONTEXT. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_query_hca_vport_context_out_bits} of Linux.
 */
public final class QueryHcaVportContextOut {
  private static final Structure.Definition D =
      Structure.define("query_hca_vport_context_out", 4224);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area HCA_VPORT_CONTEXT =
      D.area("hca_vport_context", 0x080, HcaVportContext.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryHcaVportContextOut() {}
}
