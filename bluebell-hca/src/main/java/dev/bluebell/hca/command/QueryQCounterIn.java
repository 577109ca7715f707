package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of QUERY_Q_COUNTER. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_q_counter_in_bits} of Linux.
 */
public final class QueryQCounterIn {
  private static final Structure.Definition D = Structure.define("query_q_counter_in", 256);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field CLEAR = D.field("clear", 0x0c0, 1);
  public static final Field COUNTER_SET_ID = D.field("counter_set_id", 0x0f8, 8);

  public static final Structure STRUCTURE = D.structure();

  private QueryQCounterIn() {}
}
