package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of QUERY_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_rmp_in_bits} of Linux. */
public final class QueryRmpIn {
  private static final Structure.Definition D = Structure.define("query_rmp_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field RMPN = D.field("rmpn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private QueryRmpIn() {}
}
