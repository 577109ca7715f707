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
    public static final Structure STRUCTURE = Structure.define("cmd_in", 64);
    public static final Field OPCODE = STRUCTURE.field("opcode", 0x000, 16);
    public static final Field OP_MOD = STRUCTURE.field("op_mod", 0x030, 16);

    private CmdIn() {}
  }

  /**
   * The bytes that every answer starts with. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cmd_out_bits} of
   * Linux.
   */
  public static final class CmdOut {
    public static final Structure STRUCTURE =
        Structure.define("cmd_out", 96).with("command_output@040:32");
    public static final Field STATUS = STRUCTURE.field("status", 0x000, 8);
    public static final Field SYNDROME = STRUCTURE.field("syndrome", 0x020, 32);

    private CmdOut() {}
  }

  private CommandHeaders() {}

  /** A command's input of {@code bits} bits, which begins as {@link CmdIn}. */
  static Structure input(String name, int bits) {
    return Structure.define(name, bits).with(CmdIn.OPCODE).with(CmdIn.OP_MOD);
  }

  /** An answer of {@code bits} bits, which begins as {@link CmdOut}. */
  static Structure output(String name, int bits) {
    return Structure.define(name, bits).with(CmdOut.STATUS).with(CmdOut.SYNDROME);
  }
}
