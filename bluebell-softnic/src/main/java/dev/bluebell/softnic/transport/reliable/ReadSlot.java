package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.packet.Packet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /** Protection domain that the key must belong to. */
  int pd;

  long length;

  /** Bytes of a READ that were sent since it was asked for. */
  long sent;

  /** Bytes of a READ up to which it is asked for. */
  long until;

  /** True while it is to be answered, for the first time or again. */
  boolean pending;

  /** True when it was answered before: a duplicate asked for it again, if it is pending. */
  boolean answered;

  /** True as long as no part of the answer was sent since it was asked for. */
  boolean fresh;

  /** Result of an atomic, as a number. */
  long original;

  /** High half of the result of a masked atomic on 16 bytes. */
  long originalHigh;

  /** True for an atomic that is executed when it is answered. */
  boolean late;

  /** The operands of such an atomic. */
  private @Nullable Packet operands;

  /** Takes the operands of an atomic that is executed when it is answered. */
  void delay(Packet request) {
    if (operands == null) {
      operands = new Packet();
    }
    operands.copyHeaders(request);
    late = true;
  }

  /** The operands that {@link #delay} took, as the atomic is executed now. */
  Packet takeOperands() {
    late = false;
    return Objects.requireNonNull(operands);
  }

  /** True when a PSN lies inside this request's. */
  boolean covers(int wanted) {
    int distance = Psn.distance(psn, wanted);
    return psns > 0 && distance >= 0 && distance < psns;
  }

  /** Is to be answered from one byte on up to another. */
  void ask(long from, long to) {
    sent = from;
    until = to;
    fresh = true;
    pending = true;
  }

  /** Was answered. */
  void done() {
    pending = false;
    answered = true;
  }
}
