package dev.bluebell.uverbs.qp;

/** Bits of the mask of queue pair attributes. Mirrors {@code ib_verbs.h: ib_qp_attr_mask}. */
public final class QpMask {
  public static final int STATE = 1;
  public static final int CUR_STATE = 1 << 1;
  public static final int EN_SQD_ASYNC_NOTIFY = 1 << 2;
  public static final int ACCESS_FLAGS = 1 << 3;
  public static final int PKEY_INDEX = 1 << 4;
  public static final int PORT = 1 << 5;
  public static final int QKEY = 1 << 6;
  public static final int AV = 1 << 7;
  public static final int PATH_MTU = 1 << 8;
  public static final int TIMEOUT = 1 << 9;
  public static final int RETRY_CNT = 1 << 10;
  public static final int RNR_RETRY = 1 << 11;
  public static final int RQ_PSN = 1 << 12;
  public static final int MAX_QP_RD_ATOMIC = 1 << 13;
  public static final int ALT_PATH = 1 << 14;
  public static final int MIN_RNR_TIMER = 1 << 15;
  public static final int SQ_PSN = 1 << 16;
  public static final int MAX_DEST_RD_ATOMIC = 1 << 17;
  public static final int PATH_MIG_STATE = 1 << 18;
  public static final int DEST_QPN = 1 << 20;

  private QpMask() {}
}
