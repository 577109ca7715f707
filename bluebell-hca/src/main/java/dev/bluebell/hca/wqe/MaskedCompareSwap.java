package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Operands of a masked compare-and-swap. Mirrors the bytes that UCX ({@code ib_mlx5.h}) and
 * MLNX_OFED write; neither has a structure for all sizes.
 *
 * @param bytes size of the segment, four operands
 * @param swap new value
 * @param compare value with which the memory is compared
 * @param swapMask bits that change
 * @param compareMask bits that are compared
 */
public record MaskedCompareSwap(
    int bytes, Field swap, Field compare, Field swapMask, Field compareMask) {
  /** Operands of 4 bytes. */
  public static final MaskedCompareSwap OF_4 = of(4);

  /** Operands of 8 bytes. */
  public static final MaskedCompareSwap OF_8 = of(8);

  /** Operands of 16 bytes. */
  public static final MaskedCompareSwap OF_16 = of(16);

  /**
   * The layout for operands of a size.
   *
   * @param operandBytes 4, 8 or 16
   */
  public static MaskedCompareSwap ofOperands(int operandBytes) {
    return switch (operandBytes) {
      case 4 -> OF_4;
      case 8 -> OF_8;
      default -> OF_16;
    };
  }

  private static MaskedCompareSwap of(int operandBytes) {
    int bits = 8 * operandBytes;
    return new MaskedCompareSwap(
        4 * operandBytes,
        new Field("swap", 0, bits),
        new Field("compare", bits, bits),
        new Field("swap_mask", 2 * bits, bits),
        new Field("compare_mask", 3 * bits, bits));
  }
}
