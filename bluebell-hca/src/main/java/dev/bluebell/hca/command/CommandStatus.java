package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.ConstantNames;

/** Status byte of a command's output. Mirrors {@code device.h: MLX5_CMD_STAT_*}. */
public final class CommandStatus {
  public static final int OK = 0x00;
  public static final int INT_ERR = 0x01;
  public static final int BAD_OP = 0x02;
  public static final int BAD_PARAM = 0x03;
  public static final int BAD_SYS_STATE = 0x04;
  public static final int BAD_RES = 0x05;
  public static final int RES_BUSY = 0x06;
  public static final int LIM_ERR = 0x08;
  public static final int BAD_RES_STATE = 0x09;
  public static final int IX_ERR = 0x0a;
  public static final int NO_RES = 0x0f;
  public static final int BAD_QP_STATE = 0x10;
  public static final int BAD_PKT = 0x30;
  public static final int BAD_SIZE_OUTS_CQES = 0x40;
  public static final int BAD_INP_LEN = 0x50;
  public static final int BAD_OUTP_LEN = 0x51;

  private static final ConstantNames NAMES = new ConstantNames(CommandStatus.class, "0x%02x");

  private CommandStatus() {}

  /** Explains the status in a sentence, also one that the public headers do not name. */
  public static String meaning(int status) {
    return switch (status) {
      case OK -> "The command succeeded.";
      case INT_ERR -> "An internal error of the firmware.";
      case BAD_OP ->
          "The firmware does not support this command or op_mod, or does not allow it to this"
              + " caller.";
      case BAD_PARAM -> "A field of the command has a value that is not allowed.";
      case BAD_SYS_STATE -> "The device is in a state that does not allow the command.";
      case BAD_RES ->
          "The command names an object that does not exist, or that the caller may not use.";
      case RES_BUSY -> "An object is still in use, or is busy with another command.";
      case LIM_ERR -> "A limit of the device is exceeded: compare with QUERY_HCA_CAP.";
      case BAD_RES_STATE -> "An object is in a state that does not allow the command.";
      case IX_ERR -> "An index is out of range.";
      case NO_RES -> "The device has no resources left for this.";
      case BAD_QP_STATE -> "The queue pair is not in a state from which the command starts.";
      case BAD_PKT -> "A management packet is malformed, and was discarded.";
      case BAD_SIZE_OUTS_CQES ->
          "The new size of the completion queue is too small for the entries that it holds.";
      case BAD_INP_LEN -> "The length of the command is wrong for its opcode.";
      case BAD_OUTP_LEN -> "The buffer for the command's output is too small.";
      default -> "No public header names this status.";
    };
  }

  /** The kernel's name of the status, or its hexadecimal value when it has none. */
  public static String name(int status) {
    return NAMES.of(status);
  }
}
