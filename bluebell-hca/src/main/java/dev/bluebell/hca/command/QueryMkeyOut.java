package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of QUERY_MKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_mkey_out_bits} of Linux. */
public final class QueryMkeyOut {
  private static final Structure.Definition D = Structure.define("query_mkey_out", 2432);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Area MEMORY_KEY_MKEY_ENTRY =
      D.area("memory_key_mkey_entry", 0x080, Mkc.STRUCTURE);
  public static final Field BSF0_KLM0_PAS_MTT0_1 = D.field("bsf0_klm0_pas_mtt0_1", 0x880, 128);
  public static final Field BSF1_KLM1_PAS_MTT2_3 = D.field("bsf1_klm1_pas_mtt2_3", 0x900, 128);

  public static final Structure STRUCTURE = D.structure();

  private QueryMkeyOut() {}
}
