package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The 8 bytes that every command starts with. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_in_bits} of
 * Linux.
 */
public final class CmdIn {
  private static final Structure.Definition D = Structure.define("cmd_in", 64);

  public static final Field OPCODE = D.field("opcode", 0x000, 16);
  public static final Field OP_MOD = D.field("op_mod", 0x030, 16);

  public static final Structure STRUCTURE = D.structure();

  private CmdIn() {}
}
