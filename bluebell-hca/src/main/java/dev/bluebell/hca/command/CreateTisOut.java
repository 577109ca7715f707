package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_tis_out_bits} of Linux. */
public final class CreateTisOut {
  private static final Structure.Definition D = Structure.define("create_tis_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field TISN = D.field("tisn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private CreateTisOut() {}
}
