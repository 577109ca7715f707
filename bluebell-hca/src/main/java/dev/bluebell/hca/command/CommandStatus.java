package dev.bluebell.hca.command;

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

  private CommandStatus() {}

  /** The kernel's name of the status, or its hexadecimal value when it has none. */
  public static String name(int status) {
    return switch (status) {
      case OK -> "OK";
      case INT_ERR -> "INT_ERR";
      case BAD_OP -> "BAD_OP";
      case BAD_PARAM -> "BAD_PARAM";
      case BAD_SYS_STATE -> "BAD_SYS_STATE";
      case BAD_RES -> "BAD_RES";
      case RES_BUSY -> "RES_BUSY";
      case LIM_ERR -> "LIM_ERR";
      case BAD_RES_STATE -> "BAD_RES_STATE";
      case IX_ERR -> "IX_ERR";
      case NO_RES -> "NO_RES";
      case BAD_QP_STATE -> "BAD_QP_STATE";
      case BAD_PKT -> "BAD_PKT";
      case BAD_SIZE_OUTS_CQES -> "BAD_SIZE_OUTS_CQES";
      case BAD_INP_LEN -> "BAD_INP_LEN";
      case BAD_OUTP_LEN -> "BAD_OUTP_LEN";
      default -> "0x%02x".formatted(status);
    };
  }
}
