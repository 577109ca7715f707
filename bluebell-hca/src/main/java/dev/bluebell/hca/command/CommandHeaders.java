package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The header that every command and every answer starts with. */
public final class CommandHeaders {
  /**
   * The 8 bytes that every command starts with. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_in_bits} of
   * Linux.
   */
  public static final class CmdIn {
    private static final Structure.Definition D = Structure.define("cmd_in", 64);

    public static final Field OPCODE = D.field("opcode", 0x000, 16);
    public static final Field OP_MOD = D.field("op_mod", 0x030, 16);

    public static final Structure STRUCTURE = D.structure();

    private CmdIn() {}
  }

  /**
   * The bytes that every answer starts with. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_out_bits} of
   * Linux.
   */
  public static final class CmdOut {
    private static final Structure.Definition D = Structure.define("cmd_out", 96);

    public static final Field STATUS = D.field("status", 0x000, 8);
    public static final Field SYNDROME = D.field("syndrome", 0x020, 32);

    public static final Structure STRUCTURE = D.with("command_output@040:32").structure();

    private CmdOut() {}
  }

  private CommandHeaders() {}

  /**
   * Starts the definition of a command's input of {@code bits} bits, which begins as {@link CmdIn}.
   */
  static Structure.Definition input(String name, int bits) {
    return Structure.define(name, bits).with(CmdIn.OPCODE).with(CmdIn.OP_MOD);
  }

  /** Starts the definition of an answer of {@code bits} bits, which begins as {@link CmdOut}. */
  static Structure.Definition output(String name, int bits) {
    return Structure.define(name, bits).with(CmdOut.STATUS).with(CmdOut.SYNDROME);
  }
}
