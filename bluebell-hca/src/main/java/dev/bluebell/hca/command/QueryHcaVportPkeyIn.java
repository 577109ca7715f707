package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of QUERY_HCA_VPORT_PKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_vport_pkey_in_bits}
 * of Linux.
 */
public final class QueryHcaVportPkeyIn {
  private static final Structure.Definition D = Structure.define("query_hca_vport_pkey_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field OTHER_VPORT = D.field("other_vport", 0x040, 1);
  public static final Field PORT_NUM = D.field("port_num", 0x04c, 4);
  public static final Field VPORT_NUMBER = D.field("vport_number", 0x050, 16);
  public static final Field PKEY_INDEX = D.field("pkey_index", 0x070, 16);

  public static final Structure STRUCTURE = D.structure();

  private QueryHcaVportPkeyIn() {}
}
