package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Operands of a masked fetch-and-add. Mirrors the bytes that UCX ({@code ib_mlx5.h}) and MLNX_OFED
 * write; neither has a structure for all sizes.
 *
 * @param bytes size of the segment: two operands in whole units of 16
 * @param add addend
 * @param fieldBoundary each 1 bit marks the highest bit of a field that is added separately
 */
public record MaskedFetchAdd(int bytes, Field add, Field fieldBoundary) {
  /** Operands of 4 bytes. */
  public static final MaskedFetchAdd OF_4 = of(4, 16);

  /** Operands of 8 bytes. */
  public static final MaskedFetchAdd OF_8 = of(8, 16);

  /** Operands of 16 bytes. */
  public static final MaskedFetchAdd OF_16 = of(16, 32);

  /**
   * The layout for operands of a size.
   *
   * @param operandBytes 4, 8 or 16
   */
  public static MaskedFetchAdd ofOperands(int operandBytes) {
    return switch (operandBytes) {
      case 4 -> OF_4;
      case 8 -> OF_8;
      default -> OF_16;
    };
  }

  private static MaskedFetchAdd of(int operandBytes, int bytes) {
    int bits = 8 * operandBytes;
    return new MaskedFetchAdd(
        bytes, new Field("add", 0, bits), new Field("field_boundary", bits, bits));
  }
}
