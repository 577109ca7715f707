package dev.bluebell.softnic.packet;

/**
 * The syndrome of an AETH: what a responder says about a request. Mirrors the InfiniBand
 * specification's AETH: bits 7–5 are the kind, bits 4–0 its value.
 */
public final class Aeth {
  /** ACK, without credits in its low 5 bits. */
  public static final int ACK = 0x1f;

  /** RNR NAK, without the timer code in its low 5 bits. */
  public static final int RNR_NAK = 0x20;

  public static final int PSN_SEQUENCE_NAK = 0x60;
  public static final int INVALID_REQUEST_NAK = 0x61;
  public static final int REMOTE_ACCESS_NAK = 0x62;
  public static final int REMOTE_OPERATION_NAK = 0x63;

  private static final int KIND_MASK = 0x60;
  private static final int VALUE_MASK = 0x1f;

  private static final long[] RNR_MICROSECONDS = {
    655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
    5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
    327_680, 491_520
  };

  private Aeth() {}

  public static boolean isAck(int syndrome) {
    return (syndrome & KIND_MASK) == 0;
  }

  public static boolean isRnrNak(int syndrome) {
    return (syndrome & KIND_MASK) == RNR_NAK;
  }

  /** Timer code of an RNR NAK, 5 bits. */
  public static int rnrTimer(int syndrome) {
    return syndrome & VALUE_MASK;
  }

  /** Time that an RNR NAK's 5-bit timer code asks the requester to wait, in nanoseconds. */
  public static long rnrNanos(int code) {
    return RNR_MICROSECONDS[code & VALUE_MASK] * 1_000;
  }

  /** Local ACK timeout of a 5-bit code, in nanoseconds; 0 for code 0, which means no timer. */
  public static long timeoutNanos(int code) {
    return code == 0 ? 0 : 4_096L << code;
  }
}
