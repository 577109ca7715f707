package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Operands of the standard 8-byte atomics, 16 bytes: swap or add value, then compare value. Mirrors
 * {@code mlx5dv.h: mlx5_wqe_atomic_seg}. Both words are big-endian here; the operation works on the
 * responder's host-order integer.
 */
public final class AtomicSegment {
  public static final int BYTES = 16;

  /** Compare-and-swap: the new value. */
  public static final Field SWAP = new Field("swap", 0, 64);

  /** Fetch-and-add: the addend. */
  public static final Field ADD = SWAP.named("add");

  /** Compare-and-swap: the value with which the memory is compared. */
  public static final Field COMPARE = new Field("compare", 64, 64);

  /** Offset of the swap value (compare-and-swap) or addend (fetch-and-add). */
  public static final int SWAP_ADD_OFFSET = SWAP.word();

  /** Offset of the compare value; fetch-and-add leaves it unused. */
  public static final int COMPARE_OFFSET = COMPARE.word();

  /** The only size of the standard atomics, in bytes; also their alignment. */
  public static final int OPERAND_BYTES = 8;

  private AtomicSegment() {}
}
