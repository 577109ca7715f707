package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of QUERY_HCA_CAP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_hca_cap_in_bits} of Linux. */
public final class QueryHcaCapIn {
  private static final Structure.Definition D = Structure.define("query_hca_cap_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field OTHER_FUNCTION = D.field("other_function", 0x040, 1);
  public static final Field FUNCTION_ID = D.field("function_id", 0x050, 16);

  public static final Structure STRUCTURE = D.structure();

  private QueryHcaCapIn() {}
}
