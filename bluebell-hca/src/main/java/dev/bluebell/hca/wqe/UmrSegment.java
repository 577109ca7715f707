package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The control part of a UMR, which selects what it changes in a memory key: 48 bytes behind the
 * control segment; the new context and the new translation follow. Mirrors {@code mlx5dv.h:
 * mlx5_wqe_umr_ctrl_seg}.
 */
public final class UmrSegment {
  public static final int BYTES = 48;

  /** Bit 7 is {@link #INLINE}. */
  public static final Field FLAGS = new Field("flags", 0, 8);

  /** Size of the new translation in units of 16 bytes. */
  public static final Field KLM_OCTOWORDS = new Field("klm_octowords", 32, 16);

  /** Offset of the new translation in the existing one, in units of 16 bytes. */
  public static final Field TRANSLATION_OFFSET = new Field("translation_offset", 48, 16);

  /** Which fields of the context change, see {@link MkeyMask}. */
  public static final Field MKEY_MASK = new Field("mkey_mask", 64, 64);

  public static final Field TRANSLATION_OFFSET_47_16 =
      new Field("translation_offset_47_16", 128, 32);

  /**
   * Flag: the new translation is in the entry, {@code mlx5dv.h: MLX5_WQE_UMR_CTRL_FLAG_INLINE};
   * otherwise a data segment points to it.
   */
  public static final int INLINE = 0x80;

  /** Flag: refused unless the key is in use, {@code device.h: MLX5_UMR_CHECK_FREE} of Linux. */
  public static final int CHECK_NOT_FREE = 0x40;

  /**
   * Flag: refused unless the key is free, {@code mlx5dv.h: MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE}.
   * Linux has the same bit as {@code MLX5_UMR_CHECK_NOT_FREE}.
   */
  public static final int CHECK_FREE = 0x20;

  /** Flag: {@link #TRANSLATION_OFFSET} counts. */
  public static final int TRANSLATION_OFFSET_EN = 0x10;

  /** Flag: refused unless the key's qpn is the queue pair that executes the request. */
  public static final int CHECK_QPN = 0x08;

  /** Translations are padded to a multiple of this many units of 16 bytes. */
  public static final int OCTOWORDS_UNIT = 4;

  private UmrSegment() {}

  /**
   * Size of a translation in units of 16 bytes, including padding, for a number of 16-byte entries.
   */
  public static int octowords(int entries) {
    return (entries + OCTOWORDS_UNIT - 1) & -OCTOWORDS_UNIT;
  }
}
