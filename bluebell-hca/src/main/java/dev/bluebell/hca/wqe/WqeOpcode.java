package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.ConstantNames;

/**
 * Opcodes of send work queue entries: byte 3 of the control segment. Mirrors {@code mlx5dv.h:
 * MLX5_OPCODE_*}.
 *
 * <p>Plain {@code int} constants, because the data path switches on the byte that it reads.
 */
public final class WqeOpcode {
  public static final int NOP = 0x00;
  public static final int SEND_INVAL = 0x01;
  public static final int RDMA_WRITE = 0x08;
  public static final int RDMA_WRITE_IMM = 0x09;
  public static final int SEND = 0x0a;
  public static final int SEND_IMM = 0x0b;
  public static final int TSO = 0x0e;
  public static final int WAIT = 0x0f;
  public static final int RDMA_READ = 0x10;
  public static final int ATOMIC_CS = 0x11;
  public static final int ATOMIC_FA = 0x12;
  public static final int ATOMIC_MASKED_CS = 0x14;
  public static final int ATOMIC_MASKED_FA = 0x15;
  public static final int RECV_EN = 0x16;
  public static final int SEND_EN = 0x17;
  public static final int SET_PSV = 0x20;
  public static final int DUMP = 0x23;
  public static final int UMR = 0x25;
  public static final int TAG_MATCHING = 0x28;
  public static final int ENHANCED_MPSW = 0x29;
  public static final int FLOW_TBL_ACCESS = 0x2c;
  public static final int ACCESS_ASO = 0x2d;
  public static final int MMO = 0x2f;

  /** {@code tl_mlx5_wqe.c: MLX5_OPCODE_LOCAL_MMO} of UCC; rdma-core does not have it. */
  public static final int LOCAL_MMO = 0x32;

  private static final ConstantNames NAMES = new ConstantNames(WqeOpcode.class, "0x%02x");

  private WqeOpcode() {}

  /** The name that public sources give the opcode, or its hexadecimal value when it has none. */
  public static String name(int opcode) {
    return NAMES.of(opcode);
  }
}
