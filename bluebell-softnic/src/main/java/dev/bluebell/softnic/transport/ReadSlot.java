package dev.bluebell.softnic.transport;

/**
 * A READ or atomic that the responder accepted: answered in order, and remembered so that a
 * duplicate can be answered again.
 */
final class ReadSlot {
  int opcode;
  int psn;
  int packets;
  long address;
  int rkey;
  long length;

  /** Bytes of a READ that were sent. */
  long sent;

  /** Result of an atomic, as a number. */
  long original;

  /** True when {@code wanted} lies inside this request's PSNs. */
  boolean covers(int wanted) {
    int distance = Psn.distance(psn, wanted);
    return packets > 0 && distance >= 0 && distance < packets;
  }
}
