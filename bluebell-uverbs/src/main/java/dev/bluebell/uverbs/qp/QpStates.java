package dev.bluebell.uverbs.qp;

/** States of a queue pair. Mirrors {@code ib_verbs.h: ib_qp_state}. */
public final class QpStates {
  public static final int RESET = 0;
  public static final int INIT = 1;
  public static final int RTR = 2;
  public static final int RTS = 3;
  public static final int SQD = 4;
  public static final int SQE = 5;
  public static final int ERR = 6;

  private QpStates() {}
}
