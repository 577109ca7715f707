package dev.bluebell.uverbs;

/**
 * What a program changes of a queue pair. Mirrors {@code ib_user_verbs.h: ib_uverbs_modify_qp,
 * ib_uverbs_qp_dest} and the bits of {@code ib_verbs.h: ib_qp_attr_mask}.
 *
 * @param in the structure, 112 bytes
 */
record QpAttributes(Fields in) {
  static final int BYTES = 112;

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

  int handle() {
    return in.u32(64);
  }

  int mask() {
    return in.u32(68);
  }

  boolean has(int bit) {
    return (mask() & bit) != 0;
  }

  byte[] destinationGid() {
    return in.bytes(0, 16);
  }

  int flowLabel() {
    return in.u32(16);
  }

  int sourceGidIndex() {
    return in.u8(24);
  }

  int hopLimit() {
    return in.u8(25);
  }

  int trafficClass() {
    return in.u8(26);
  }

  int serviceLevel() {
    return in.u8(27);
  }

  boolean isGlobal() {
    return in.u8(30) != 0;
  }

  int pathPort() {
    return in.u8(31);
  }

  int qkey() {
    return in.u32(72);
  }

  int receivePsn() {
    return in.u32(76);
  }

  int sendPsn() {
    return in.u32(80);
  }

  int destinationQpn() {
    return in.u32(84);
  }

  int access() {
    return in.u32(88);
  }

  int pkeyIndex() {
    return in.u16(92);
  }

  int state() {
    return in.u8(96);
  }

  int currentState() {
    return in.u8(97);
  }

  int pathMtu() {
    return in.u8(98);
  }

  int maxReads() {
    return in.u8(101);
  }

  int maxDestinationReads() {
    return in.u8(102);
  }

  int minRnrTimer() {
    return in.u8(103);
  }

  int port() {
    return in.u8(104);
  }

  int timeout() {
    return in.u8(105);
  }

  int retryCount() {
    return in.u8(106);
  }

  int rnrRetry() {
    return in.u8(107);
  }
}
