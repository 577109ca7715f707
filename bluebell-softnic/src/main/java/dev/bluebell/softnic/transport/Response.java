package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.translation.SegmentList;

/**
 * A response on its way to a requester. Reused by its responder: valid only while it is being
 * delivered.
 */
public final class Response {
  /** What a response is. */
  public enum Kind {
    /** Acknowledges every request through {@code psn}. */
    ACKNOWLEDGE,
    /** Refuses the request at {@code psn}, see {@link Nak}. */
    NAK,
    /** Asks to send the request at {@code psn} again after a time. */
    RECEIVER_NOT_READY,
    /** Data of a READ. */
    READ,
    /** Result of an atomic. */
    ATOMIC
  }

  Kind kind = Kind.ACKNOWLEDGE;
  int destinationQpn;
  int sourceQpn;
  int psn;
  int packets;

  /** Message sequence number: requests that the responder completed. */
  int msn;

  /** NAK code or RNR timer code. */
  int code;

  /** Result of an atomic, as a number. */
  long original;

  final SegmentList payload = new SegmentList();
  int payloadBytes;

  /** Why the responder refused; travels only where both ends are this device. */
  String explanation = "";

  public int destinationQpn() {
    return destinationQpn;
  }

  public int psn() {
    return psn;
  }
}
