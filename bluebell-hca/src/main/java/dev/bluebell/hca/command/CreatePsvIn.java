package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_PSV. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_psv_in_bits} of Linux. */
public final class CreatePsvIn {
  private static final Structure.Definition D = Structure.define("create_psv_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field NUM_PSV = D.field("num_psv", 0x040, 4);
  public static final Field PD = D.field("pd", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private CreatePsvIn() {}
}
