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
}
