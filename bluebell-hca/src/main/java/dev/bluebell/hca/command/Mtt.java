package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** One entry of a translation list. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mtt_bits} of Linux. */
public final class Mtt {
  private static final Structure.Definition D = Structure.define("mtt", 64);

  public static final Field PTAG_63_32 = D.field("ptag_63_32", 0x000, 32);
  public static final Field PTAG_31_8 = D.field("ptag_31_8", 0x020, 24);
  public static final Field WR_EN = D.field("wr_en", 0x03e, 1);
  public static final Field RD_EN = D.field("rd_en", 0x03f, 1);

  public static final Structure STRUCTURE = D.structure();

  private Mtt() {}
}
