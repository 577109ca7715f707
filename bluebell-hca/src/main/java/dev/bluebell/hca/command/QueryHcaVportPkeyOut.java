package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_HCA_VPORT_PKEY; the keys follow it, 32 bits each. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_query_hca_vport_pkey_out_bits} of Linux.
 */
public final class QueryHcaVportPkeyOut {
  private static final Structure.Definition D = Structure.define("query_hca_vport_pkey_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);

  public static final Structure STRUCTURE = D.structure();

  private QueryHcaVportPkeyOut() {}
}
