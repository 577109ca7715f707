package dev.bluebell.roce.packet;

/**
 * The ACK extended transport header, with a responder's answer to a request. Bits 7–5 of the
 * syndrome are the kind, bits 4–0 its value. Source: the InfiniBand specification.
 */
public final class Aeth {
  public static final Header HEADER = new Header("aeth");

  public static final Field SYNDROME = HEADER.hex("syndrome", 8);
  public static final Field MSN = HEADER.decimal("msn", 24);

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

  /** True for a NAK with a code; false for an RNR NAK. */
  public static boolean isNak(int syndrome) {
    return (syndrome & KIND_MASK) == KIND_MASK;
  }

  /** Timer code of an RNR NAK, 5 bits. */
  public static int rnrTimer(int syndrome) {
    return syndrome & VALUE_MASK;
  }

  /** The time that a timer code stands for, in µs: 10 … 491,520, and 655,360 for code 0. */
  public static int rnrMicroseconds(int timer) {
    return switch (timer) {
      case 0 -> 655_360;
      case 1 -> 10;
      default -> ((timer & 1) == 0 ? 10 : 15) << (timer >>> 1);
    };
  }

  /** The meaning of a syndrome in words. */
  public static String text(int syndrome) {
    if (isAck(syndrome)) {
      return "ACK";
    }
    if (isRnrNak(syndrome)) {
      return "RNR NAK";
    }
    return switch (syndrome) {
      case PSN_SEQUENCE_NAK -> "NAK: PSN sequence error";
      case INVALID_REQUEST_NAK -> "NAK: invalid request";
      case REMOTE_ACCESS_NAK -> "NAK: remote access error";
      case REMOTE_OPERATION_NAK -> "NAK: remote operational error";
      default -> isNak(syndrome) ? "NAK with a reserved code" : "reserved syndrome";
    };
  }
}
