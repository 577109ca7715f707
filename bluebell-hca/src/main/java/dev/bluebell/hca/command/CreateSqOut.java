package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Output of CREATE_SQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_sq_out_bits} of Linux. */
public final class CreateSqOut {
  private static final Structure.Definition D = Structure.define("create_sq_out", 128);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field SQN = D.field("sqn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private CreateSqOut() {}
}
