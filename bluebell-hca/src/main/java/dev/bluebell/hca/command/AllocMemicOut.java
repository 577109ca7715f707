package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of ALLOC_MEMIC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_memic_out_bits} of Linux. */
public final class AllocMemicOut {
  private static final Structure.Definition D = Structure.define("alloc_memic_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field MEMIC_START_ADDR = D.field("memic_start_addr", 0x040, 64);

  public static final Structure STRUCTURE = D.structure();

  private AllocMemicOut() {}
}
