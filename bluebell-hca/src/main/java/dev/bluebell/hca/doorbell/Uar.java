package dev.bluebell.hca.doorbell;

/**
 * A UAR page: the 4 KiB of device registers that a process may write. Mirrors {@code mlx5.h:
 * MLX5_BF_OFFSET, MLX5_CQ_DOORBELL}.
 */
public final class Uar {
  public static final int PAGE_BYTES = 4096;

  /** Register that takes CQ arm commands, 8 bytes. */
  public static final int CQ_DOORBELL = 0x20;

  /** First BlueFlame register: a send doorbell of 8 bytes, or a copy of a whole WQE. */
  public static final int BLUEFLAME = 0x800;

  /** Distance between BlueFlame registers (log_bf_reg_size 9). */
  public static final int BLUEFLAME_REGISTER_BYTES = 512;

  /** A register has two buffers of this size; drivers alternate between them on every ring. */
  public static final int BLUEFLAME_BUFFER_BYTES = 256;

  /**
   * BlueFlame registers of one page that user space may use (NUM_BFREGS_PER_UAR less the kernel's).
   */
  public static final int BLUEFLAME_REGISTERS = 2;

  private Uar() {}
}
