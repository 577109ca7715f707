package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_dct_out_bits} of Linux. */
public final class QueryDctOut {
  private static final Structure.Definition D = Structure.define("query_dct_out", 1024);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area DCTC = D.area("dctc", 0x080, Dctc.STRUCTURE);
  public static final Area DCT_CONTEXT_ENTRY = D.area("dct_context_entry", 0x080, Dctc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private QueryDctOut() {}
}
