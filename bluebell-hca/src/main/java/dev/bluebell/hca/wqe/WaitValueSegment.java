package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * What a WAIT for a value in memory or for the clock compares, 32 bytes. Mirrors {@code mlx5_prm.h:
 * mlx5_wqe_wseg} of DPDK.
 */
public final class WaitValueSegment {
  public static final int BYTES = 32;

  /** Condition: none, {@code mlx5_prm.h: MLX5_WAIT_COND_ALWAYS_TRUE}. */
  public static final int ALWAYS = 0;

  /** Condition: {@link #VALUE} is what is there, both under {@link #MASK}. */
  public static final int EQUAL = 1;

  /** Condition: {@link #VALUE} is larger, without sign. */
  public static final int BIGGER = 2;

  /** Condition: {@link #VALUE} is smaller, without sign. */
  public static final int SMALLER = 3;

  /** Condition: {@link #VALUE} is ahead by less than half of what {@link #MASK} counts. */
  public static final int CYCLIC_BIGGER = 4;

  /** Condition: {@link #VALUE} is behind by less than half of what {@link #MASK} counts. */
  public static final int CYCLIC_SMALLER = 5;

  /** Added to a condition: its opposite, {@code mlx5_prm.h: MLX5_WAIT_COND_INVERT}. */
  public static final int INVERT = 0x10;

  /** Condition in the low four bits; the bit above them inverts it. */
  public static final Field OPERATION = new Field("operation", 0, 32);

  /** Key of the memory; 0 for the clock. */
  public static final Field LKEY = new Field("lkey", 32, 32);

  public static final Field ADDRESS = new Field("address", 64, 64);
  public static final Field VALUE = new Field("value", 128, 64);
  public static final Field MASK = new Field("mask", 192, 64);

  private WaitValueSegment() {}

  /** Bytes 0–7. */
  public static long first(int operation, int lkey) {
    return OPERATION.place(operation) | LKEY.place(lkey);
  }
}
