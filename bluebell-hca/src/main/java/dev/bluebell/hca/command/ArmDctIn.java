package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Input of ARM_DCT_FOR_KEY_VIOLATION. Mirrors {@code mlx5_ifc.h: mlx5_ifc_arm_dct_in_bits} of
 * Linux.
 */
public final class ArmDctIn {
  private static final Structure.Definition D = Structure.define("arm_dct_in", 128);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field DCT_NUMBER = D.field("dct_number", 0x048, 24);

  public static final Structure STRUCTURE = D.structure();

  private ArmDctIn() {}
}
