package dev.bluebell.hca.wqe;

import dev.bluebell.hca.command.Field;

/**
 * What a WAIT for a value in memory or for the clock compares, 32 bytes. Mirrors {@code mlx5_prm.h:
 * mlx5_wqe_wseg} of DPDK.
 */
public final class WaitValueSegment {
  public static final int BYTES = 32;

  /** Condition in the low four bits; the bit above them inverts it. */
  public static final Field OPERATION = new Field("operation", 0, 32);

  /** Key of the memory; 0 for the clock. */
  public static final Field LKEY = new Field("lkey", 32, 32);

  public static final Field ADDRESS = new Field("address", 64, 64);
  public static final Field VALUE = new Field("value", 128, 64);
  public static final Field MASK = new Field("mask", 192, 64);

  private WaitValueSegment() {}
}
