package dev.bluebell.softnic.transport;

/** Queue pair states by their number in the context. Mirrors {@code qp.h: MLX5_QP_STATE_*}. */
public final class QpState {
  public static final int RST = 0;
  public static final int INIT = 1;
  public static final int RTR = 2;
  public static final int RTS = 3;
  public static final int SQER = 4;
  public static final int SQD = 5;
  public static final int ERR = 6;

  private QpState() {}
}
