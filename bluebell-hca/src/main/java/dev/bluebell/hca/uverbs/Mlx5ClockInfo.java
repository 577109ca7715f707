package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The page by which clients turn timestamps of completions into time of day. Mirrors {@code
 * rdma/mlx5-abi.h: mlx5_ib_clock_info}.
 */
public final class Mlx5ClockInfo {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_clock_info", 56);

  public static final Field SIGN = D.u32("sign", 0);
  public static final Field NSEC = D.u64("nsec", 8);
  public static final Field CYCLES = D.u64("cycles", 16);
  public static final Field FRAC = D.u64("frac", 24);
  public static final Field MULT = D.u32("mult", 32);
  public static final Field SHIFT = D.u32("shift", 36);
  public static final Field MASK = D.u64("mask", 40);
  public static final Field OVERFLOW_PERIOD = D.u64("overflow_period", 48);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5ClockInfo() {}
}
