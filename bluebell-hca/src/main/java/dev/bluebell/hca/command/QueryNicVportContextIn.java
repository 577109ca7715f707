package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of QUERY_NIC_VPORT_CONTEXT. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_query_nic_vport_context_in_bits} of Linux.
 */
public final class QueryNicVportContextIn {
  private static final Structure.Definition D = Structure.define("query_nic_vport_context_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field OTHER_VPORT = D.field("other_vport", 0x040, 1);
  public static final Field VPORT_NUMBER = D.field("vport_number", 0x050, 16);
  public static final Field ALLOWED_LIST_TYPE = D.field("allowed_list_type", 0x065, 3);

  public static final Structure STRUCTURE = D.structure();

  private QueryNicVportContextIn() {}
}
