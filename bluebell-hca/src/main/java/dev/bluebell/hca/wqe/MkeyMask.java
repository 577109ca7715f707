package dev.bluebell.hca.wqe;

/**
 * Bits of {@link UmrSegment#MKEY_MASK}: which fields of a memory key's context a UMR changes.
 * Mirrors {@code mlx5dv.h: MLX5_WQE_UMR_CTRL_MKEY_MASK_*}, and {@code device.h: MLX5_MKEY_MASK_*}
 * of Linux where that has more.
 */
public final class MkeyMask {
  public static final long LEN = 1L;
  public static final long PAGE_SIZE = 1L << 1;
  public static final long START_ADDR = 1L << 6;
  public static final long PD = 1L << 7;
  public static final long EN_RINVAL = 1L << 8;

  /** The tag, mkey_7_0. */
  public static final long KEY = 1L << 13;

  public static final long QPN = 1L << 14;
  public static final long LR = 1L << 17;
  public static final long LW = 1L << 18;
  public static final long RR = 1L << 19;
  public static final long RW = 1L << 20;
  public static final long A = 1L << 21;
  public static final long SMALL_FENCE = 1L << 23;
  public static final long RELAXED_ORDERING_WRITE = 1L << 25;
  public static final long FREE = 1L << 29;
  public static final long RELAXED_ORDERING_READ = 1L << 47;

  /** The rights that libmlx5 changes together. */
  public static final long RIGHTS = LW | RR | RW | A;

  /** The fields that libmlx5 changes when it binds a memory window of type 1. */
  public static final long BIND = FREE | KEY | LEN | START_ADDR | RIGHTS;

  /** The fields that libmlx5 changes when it invalidates a window. */
  public static final long UNBIND = FREE | KEY;

  private MkeyMask() {}
}
