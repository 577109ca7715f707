package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of ALLOC_XRCD. Mirrors {@code mlx5_ifc.h: mlx5_ifc_alloc_xrcd_out_bits} of Linux. */
public final class AllocXrcdOut {
  private static final Structure.Definition D = Structure.define("alloc_xrcd_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field XRCD = D.field("xrcd", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private AllocXrcdOut() {}
}
