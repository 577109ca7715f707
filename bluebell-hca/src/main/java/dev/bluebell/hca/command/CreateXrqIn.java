package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_XRQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_xrq_in_bits} of Linux. */
public final class CreateXrqIn {
  private static final Structure.Definition D = Structure.define("create_xrq_in", 2688);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field UID = D.field("uid", 0x010, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Area XRQ_CONTEXT = D.area("xrq_context", 0x080, Xrqc.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private CreateXrqIn() {}
}
