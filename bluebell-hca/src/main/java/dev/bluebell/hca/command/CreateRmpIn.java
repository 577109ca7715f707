package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_rmp_in_bits} of Linux. */
public final class CreateRmpIn {
  private static final Structure.Definition D = Structure.define("create_rmp_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Area CTX = D.area("ctx", 0x100, Rmpc.STRUCTURE);
  public static final Area RMP_CONTEXT = D.area("rmp_context", 0x100, Rmpc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private CreateRmpIn() {}
}
