package dev.bluebell.softnic.wire;

/**
 * Explicit congestion notification: the two low bits of a traffic class. Source: RFC 3168, and the
 * RoCEv2 annex of the InfiniBand specification, A17.9.
 */
final class Ecn {
  /** ECT(0): switches may mark the packet. */
  static final int CAPABLE = 2;

  private static final int MASK = 3;

  private Ecn() {}

  /** A traffic class, 8 bits, with ECT(0). */
  static int capable(int trafficClass) {
    return trafficClass & ~MASK | CAPABLE;
  }
}
