package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_EQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_eq_in_bits} of Linux. */
public final class CreateEqIn {
  private static final Structure.Definition D = Structure.define("create_eq_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Area EQ_CONTEXT_ENTRY = D.area("eq_context_entry", 0x080, Eqc.STRUCTURE);
  public static final Field EVENT_BITMASK = D.field("event_bitmask", 0x2c0, 256);

  public static final Structure STRUCTURE = D.structure();

  private CreateEqIn() {}
}
