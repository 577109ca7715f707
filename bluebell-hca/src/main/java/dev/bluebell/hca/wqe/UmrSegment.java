package dev.bluebell.hca.wqe;

import dev.bluebell.hca.command.Field;

/**
 * What a UMR changes of a memory key, 48 bytes behind the control segment; the new context and the
 * new translation follow. Mirrors {@code mlx5dv.h: mlx5_wqe_umr_ctrl_seg}.
 */
public final class UmrSegment {
  public static final int BYTES = 48;

  /** Bit 7 is {@link #INLINE}. */
  public static final Field FLAGS = new Field("flags", 0, 8);

  /** Size of the new translation in units of 16 bytes. */
  public static final Field KLM_OCTOWORDS = new Field("klm_octowords", 32, 16);

  public static final Field TRANSLATION_OFFSET = new Field("translation_offset", 48, 16);

  /** Which fields of the context change, {@code mlx5dv.h: MLX5_WQE_UMR_CTRL_MKEY_MASK_*}. */
  public static final Field MKEY_MASK = new Field("mkey_mask", 64, 64);

  public static final Field TRANSLATION_OFFSET_47_16 =
      new Field("translation_offset_47_16", 128, 32);

  /**
   * Flag: the new translation is in the entry, {@code mlx5dv.h: MLX5_WQE_UMR_CTRL_FLAG_INLINE};
   * otherwise a data segment points to it.
   */
  public static final int INLINE = 0x80;

  private UmrSegment() {}
}
