package dev.bluebell.uverbs.qp;

import dev.bluebell.uverbs.abi.AbiView;
import dev.bluebell.uverbs.abi.Field;
import dev.bluebell.uverbs.abi.structure.ModifyQp;

/**
 * The attributes that a program changes of a queue pair. The bits mirror {@code ib_verbs.h:
 * ib_qp_attr_mask}.
 *
 * @param in {@link ModifyQp}
 */
record QpAttributes(AbiView in) {
  static final int STATE = 1;
  static final int CUR_STATE = 1 << 1;
  static final int EN_SQD_ASYNC_NOTIFY = 1 << 2;
  static final int ACCESS_FLAGS = 1 << 3;
  static final int PKEY_INDEX = 1 << 4;
  static final int PORT = 1 << 5;
  static final int QKEY = 1 << 6;
  static final int AV = 1 << 7;
  static final int PATH_MTU = 1 << 8;
  static final int TIMEOUT = 1 << 9;
  static final int RETRY_CNT = 1 << 10;
  static final int RNR_RETRY = 1 << 11;
  static final int RQ_PSN = 1 << 12;
  static final int MAX_QP_RD_ATOMIC = 1 << 13;
  static final int ALT_PATH = 1 << 14;
  static final int MIN_RNR_TIMER = 1 << 15;
  static final int SQ_PSN = 1 << 16;
  static final int MAX_DEST_RD_ATOMIC = 1 << 17;
  static final int PATH_MIG_STATE = 1 << 18;
  static final int DEST_QPN = 1 << 20;

  /** Says which attributes count. */
  int mask() {
    return getInt(ModifyQp.ATTR_MASK);
  }

  boolean has(int bit) {
    return (mask() & bit) != 0;
  }

  /**
   * Leaves out what libraries set for all connections alike, and one half of a connection does not
   * have. Mirrors {@code ib_uverbs uverbs_cmd.c: modify_qp_mask}.
   */
  QpAttributes of(QpType type) {
    int foreign =
        switch (type) {
          case XRC_INI -> MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
          case XRC_TGT -> MAX_QP_RD_ATOMIC | RETRY_CNT | RNR_RETRY;
          case RC, UC, UD, DCI -> 0;
        };
    AbiView kept = AbiView.over(in.bytes().clone()).set(ModifyQp.ATTR_MASK, mask() & ~foreign);
    return new QpAttributes(kept);
  }

  int getInt(Field field) {
    return in.getInt(field);
  }

  /** The path to the destination, {@link dev.bluebell.uverbs.abi.structure.QpDest}. */
  AbiView destination() {
    return in.at(ModifyQp.DEST);
  }
}
