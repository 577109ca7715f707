package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The bytes that every answer starts with; the answer of a command that returns nothing else is
 * {@link StatusOut}. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_out_bits} of Linux.
 */
public final class CmdOut {
  private static final Structure.Definition D = Structure.define("cmd_out", 96);

  public static final Field STATUS = D.field("status", 0x000, 8);
  public static final Field SYNDROME = D.field("syndrome", 0x020, 32);
  public static final Field COMMAND_OUTPUT = D.field("command_output", 0x040, 32);

  public static final Structure STRUCTURE = D.structure();

  private CmdOut() {}
}
