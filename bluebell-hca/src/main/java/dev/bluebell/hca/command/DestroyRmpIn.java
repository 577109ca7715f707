package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of DESTROY_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_rmp_in_bits} of Linux. */
public final class DestroyRmpIn {
  private static final Structure.Definition D = Structure.define("destroy_rmp_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field RMPN = D.field("rmpn", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private DestroyRmpIn() {}
}
