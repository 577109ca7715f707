package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_DCT. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_dct_in_bits} of Linux. */
public final class CreateDctIn {
  private static final Structure.Definition D = Structure.define("create_dct_in", 1024);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Area DCT_CONTEXT_ENTRY = D.area("dct_context_entry", 0x080, Dctc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private CreateDctIn() {}
}
