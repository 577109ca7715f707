package dev.bluebell.hca.cqe;

import dev.bluebell.hca.structure.ConstantNames;

/**
 * Opcodes of completion queue entries: the upper four bits of op_own. Mirrors {@code mlx5dv.h:
 * MLX5_CQE_*}.
 */
public final class CqeOpcode {
  public static final int REQ = 0x0;
  public static final int RESP_WR_IMM = 0x1;
  public static final int RESP_SEND = 0x2;
  public static final int RESP_SEND_IMM = 0x3;
  public static final int RESP_SEND_INV = 0x4;
  public static final int RESIZE_CQ = 0x5;
  public static final int NO_PACKET = 0x6;
  public static final int SIG_ERR = 0xc;
  public static final int REQ_ERR = 0xd;
  public static final int RESP_ERR = 0xe;
  public static final int INVALID = 0xf;

  private static final ConstantNames NAMES = new ConstantNames(CqeOpcode.class, "0x%x");

  private CqeOpcode() {}

  /** The name that rdma-core gives the opcode, or its hexadecimal value when it has none. */
  public static String name(int opcode) {
    return NAMES.of(opcode);
  }
}
