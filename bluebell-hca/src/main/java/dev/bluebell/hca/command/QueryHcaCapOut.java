package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_HCA_CAP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_cap_out_bits} of Linux.
 */
public final class QueryHcaCapOut {
  private static final Structure.Definition D = Structure.define("query_hca_cap_out", 32896);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field CAPABILITY = D.field("capability", 0x080, 32768);

  public static final Structure STRUCTURE = D.structure();

  private QueryHcaCapOut() {}
}
