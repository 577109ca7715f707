package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_dct_out_bits} of Linux. */
public final class CreateDctOut {
  private static final Structure.Definition D = Structure.define("create_dct_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field DCTN = D.field("dctn", 0x048, 24);
  public static final Field ECE = D.field("ece", 0x060, 32);

  public static final Structure STRUCTURE = D.structure();

  private CreateDctOut() {}
}
