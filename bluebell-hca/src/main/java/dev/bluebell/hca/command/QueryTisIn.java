package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of QUERY_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_tis_in_bits} of Linux. */
public final class QueryTisIn {
  private static final Structure.Definition D = Structure.define("query_tis_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field TISN = D.field("tisn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private QueryTisIn() {}
}
