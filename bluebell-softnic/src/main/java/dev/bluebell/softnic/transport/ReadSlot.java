package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.packet.Psn;

/**
 * A READ or atomic that the responder accepted: answered in order, and remembered so that a
 * duplicate can be answered again.
 */
final class ReadSlot {
  /** See {@link dev.bluebell.softnic.packet.BthOpcode}. */
  int opcode;

  int psn;

  /** PSNs of the answer; 0 when the slot is free. */
  int psns;

  long address;
  int rkey;
  long length;

  /** Bytes of a READ that were sent. */
  long sent;

  /** True as long as no part of the answer was sent since it was asked for. */
  boolean fresh;

  /** Result of an atomic, as a number. */
  long original;

  /** True when {@code wanted} lies inside this request's PSNs. */
  boolean covers(int wanted) {
    int distance = Psn.distance(psn, wanted);
    return psns > 0 && distance >= 0 && distance < psns;
  }
}
