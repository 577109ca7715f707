package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.packet.MaskedOperands;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * A READ or atomic that the responder has accepted: answered in order, and remembered to respond to
 * duplicates.
 */
final class ReadSlot {
  /** See {@link dev.bluebell.softnic.packet.BthOpcode}. */
  int opcode;

  int psn;

  /** PSNs of the response; 0 when the slot is free. */
  int psns;

  long address;
  int rkey;

  /** Protection domain that the key must belong to. */
  int pd;

  long length;

  /** Offset in bytes up to which a READ was sent since it was requested. */
  long sent;

  /** Offset in bytes up to which a READ is requested. */
  long until;

  /** True while a response is pending, for the first time or again. */
  boolean pending;

  /** True when it was answered before. If also pending, a duplicate has requested it again. */
  boolean answered;

  /** True until a part of the response was sent since the last request. */
  boolean fresh;

  /** Result of an atomic, as a number. */
  long original;

  /** High half of the result of a masked atomic on 16 bytes. */
  long originalHigh;

  /** True for an atomic that is executed when it is answered. */
  boolean late;

  // The operands of such an atomic.
  private long swapAdd;
  private long compare;

  // Null until a masked atomic was late.
  private @Nullable MaskedOperands masked;

  /** Stores the operands of an atomic that is executed when it is answered. */
  void delay(Packet request) {
    swapAdd = request.swapAdd;
    compare = request.compare;
    if (masked == null && request.masked.bytes > 0) {
      masked = new MaskedOperands();
    }
    if (masked != null) {
      masked.copy(request.masked);
    }
    late = true;
  }

  /**
   * Puts the opcode and the operands that {@link #delay} stored into a request; the atomic is no
   * longer late.
   */
  void takeOperands(Packet request) {
    late = false;
    request.opcode = opcode;
    request.swapAdd = swapAdd;
    request.compare = compare;
    if (masked == null) {
      request.masked.bytes = 0;
    } else {
      request.masked.copy(masked);
    }
  }

  /** True when a PSN is one of this request's. */
  boolean covers(int wanted) {
    int distance = Psn.distance(psn, wanted);
    return psns > 0 && distance >= 0 && distance < psns;
  }

  /** Marks the bytes from one offset up to another as requested. */
  void ask(long from, long to) {
    sent = from;
    until = to;
    fresh = true;
    pending = true;
  }

  /** Marks it as answered. */
  void done() {
    pending = false;
    answered = true;
  }
}
