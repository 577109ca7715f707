package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The comparison of a WAIT for a value in memory or for the clock, 32 bytes. Mirrors {@code
 * mlx5_prm.h: mlx5_wqe_wseg} of DPDK.
 */
public final class WaitValueSegment {
  public static final int BYTES = 32;

  /** Condition: none, {@code mlx5_prm.h: MLX5_WAIT_COND_ALWAYS_TRUE}. */
  public static final int ALWAYS = 0;

  /** Condition: {@link #VALUE} equals the actual value, both under {@link #MASK}. */
  public static final int EQUAL = 1;

  /** Condition: {@link #VALUE} is larger, unsigned. */
  public static final int BIGGER = 2;

  /** Condition: {@link #VALUE} is smaller, unsigned. */
  public static final int SMALLER = 3;

  /** Condition: {@link #VALUE} is ahead by less than half the range of {@link #MASK}. */
  public static final int CYCLIC_BIGGER = 4;

  /** Condition: {@link #VALUE} is behind by less than half the range of {@link #MASK}. */
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

  /** True for one of the conditions above, inverted or not. */
  public static boolean isCondition(int operation) {
    return (operation & ~INVERT) <= CYCLIC_SMALLER && operation >= 0;
  }

  /**
   * True when the condition is met, so that a waiting queue continues.
   *
   * @param operation a condition, see {@link #isCondition}
   * @param value {@link #VALUE}
   * @param mask {@link #MASK}
   * @param found value in the memory or of the clock
   */
  public static boolean isMet(int operation, long value, long mask, long found) {
    long wanted = value & mask;
    long there = found & mask;
    // The sign of a cyclic comparison is the highest bit of the mask.
    long ahead = wanted - there << Long.numberOfLeadingZeros(mask);
    boolean met =
        switch (operation & ~INVERT) {
          case ALWAYS -> true;
          case EQUAL -> wanted == there;
          case BIGGER -> Long.compareUnsigned(wanted, there) > 0;
          case SMALLER -> Long.compareUnsigned(wanted, there) < 0;
          case CYCLIC_BIGGER -> ahead > 0;
          default -> ahead < 0;
        };
    return met == ((operation & INVERT) == 0);
  }

  /** Bytes 0–7. */
  public static long first(int operation, int lkey) {
    return OPERATION.place(operation) | LKEY.place(lkey);
  }
}
