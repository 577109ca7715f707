package dev.bluebell.hca.wqe;

/**
 * Operands of the standard 8-byte atomics, 16 bytes: swap or add value, then compare value. Mirrors
 * {@code mlx5dv.h: mlx5_wqe_atomic_seg}. Both words are big-endian here; the operation works on the
 * responder's host-order integer.
 */
public final class AtomicSegment {
  public static final int BYTES = 16;

  /** Offset of the swap value (compare-and-swap) or addend (fetch-and-add). */
  public static final int SWAP_ADD_OFFSET = 0;

  /** Offset of the compare value; fetch-and-add leaves it unused. */
  public static final int COMPARE_OFFSET = 8;

  /** The only size of the standard atomics, in bytes; also their alignment. */
  public static final int OPERAND_BYTES = 8;

  private AtomicSegment() {}
}
