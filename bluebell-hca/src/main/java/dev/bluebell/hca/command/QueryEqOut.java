package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_EQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_eq_out_bits} of Linux. */
public final class QueryEqOut {
  private static final Structure.Definition D = Structure.define("query_eq_out", 2176);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area EQ_CONTEXT_ENTRY = D.area("eq_context_entry", 0x080, Eqc.STRUCTURE);
  public static final Field EVENT_BITMASK = D.field("event_bitmask", 0x2c0, 64);

  public static final Structure STRUCTURE = D.structure();

  private QueryEqOut() {}
}
