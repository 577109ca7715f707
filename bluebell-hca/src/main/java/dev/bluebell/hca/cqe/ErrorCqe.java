package dev.bluebell.hca.cqe;

import dev.bluebell.hca.structure.Field;

/**
 * Fields of the completion of a failed request, in addition to those of {@link Cqe}. Mirrors {@code
 * mlx5dv.h: mlx5_err_cqe}.
 */
public final class ErrorCqe {
  public static final Field HW_ERROR_SYNDROME = new Field("hw_error_syndrome", 416, 8);
  public static final Field HW_SYNDROME_TYPE = new Field("hw_syndrome_type", 424, 8);

  /** The vendor's finer reason. */
  public static final Field VENDOR_ERR_SYND = new Field("vendor_err_synd", 432, 8);

  /** Why the request failed, see {@link Syndrome}. */
  public static final Field SYNDROME = new Field("syndrome", 440, 8);

  private ErrorCqe() {}
}
