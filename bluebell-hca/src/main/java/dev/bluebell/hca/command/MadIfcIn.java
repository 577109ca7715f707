package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Input of MAD_IFC. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mad_ifc_in_bits} of Linux. */
public final class MadIfcIn {
  private static final Structure.Definition D = Structure.define("mad_ifc_in", 2176);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);
  public static final Field REMOTE_LID = D.field("remote_lid", 0x040, 16);
  public static final Field PORT = D.field("port", 0x058, 8);
  public static final Field MAD = D.field("mad", 0x080, 2048);

  public static final Structure STRUCTURE = D.structure();

  private MadIfcIn() {}
}
