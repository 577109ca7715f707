package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of QUERY_EQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_eq_in_bits} of Linux. */
public final class QueryEqIn {
  private static final Structure.Definition D = Structure.define("query_eq_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field EQ_NUMBER = D.field("eq_number", 0x058, 8);

  public static final Structure STRUCTURE = D.structure();

  private QueryEqIn() {}
}
