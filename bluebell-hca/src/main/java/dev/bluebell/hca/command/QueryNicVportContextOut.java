package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of QUERY_NIC_VPORT_CONTEXT. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_query_nic_vport_context_out_bits} of Linux.
 */
public final class QueryNicVportContextOut {
  private static final Structure.Definition D =
      Structure.define("query_nic_vport_context_out", 2176);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area NIC_VPORT_CONTEXT =
      D.area("nic_vport_context", 0x080, NicVportContext.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryNicVportContextOut() {}
}
