package dev.bluebell.hca.command;

/**
 * Bits of {@code opt_param_mask}: which fields of the context a queue pair transition sets in
 * addition to those that it always sets. Mirrors {@code qp.h: MLX5_QP_OPTPAR_*} of Linux.
 */
public final class QpOptionalParameter {
  public static final int ALT_ADDR_PATH = 1;
  public static final int RRE = 1 << 1;
  public static final int RAE = 1 << 2;
  public static final int RWE = 1 << 3;
  public static final int PKEY_INDEX = 1 << 4;
  public static final int Q_KEY = 1 << 5;
  public static final int RNR_TIMEOUT = 1 << 6;
  public static final int PM_STATE = 1 << 10;

  /** All rights of the remote side. */
  public static final int RIGHTS = RRE | RAE | RWE;

  /** In opt_param_mask_95_32 of RTS2RTS_QP: restarts a failed DCI stream. */
  public static final long EXT_DCI_STREAM = 1;

  private QpOptionalParameter() {}
}
