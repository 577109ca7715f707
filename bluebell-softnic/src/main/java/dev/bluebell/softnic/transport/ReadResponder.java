package dev.bluebell.softnic.transport;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link Responder} that serves READs and atomics: accepts them, executes atomics,
 * answers in order, and remembers them so that duplicates can be answered again. Owned by whoever
 * runs the engine.
 */
final class ReadResponder {
  private static final int MAX_SLOTS = 16;

  private final Responder responder;
  private final QueuePair queuePair;
  private final Chip chip;
  private final Delivery delivery;
  private final Refusal refusal;
  private final KeyTable keys;
  private final int pd;
  private final Response response;

  // A ring: [answered, accepted) are still to be answered, older ones are remembered.
  private final ReadSlot[] slots = new ReadSlot[MAX_SLOTS];
  private int slotCount = 1;
  private int answered;
  private int accepted;

  private boolean allowsRead;
  private boolean allowsAtomic;

  /**
   * @param delivery tells whether a message is arriving, and words refusals
   * @param refusal where a method that returns false says why
   * @param response what {@link Responder#respond} sends
   */
  ReadResponder(
      Responder responder,
      QueuePair queuePair,
      Delivery delivery,
      Refusal refusal,
      Response response) {
    this.responder = responder;
    this.queuePair = queuePair;
    this.delivery = delivery;
    this.refusal = refusal;
    this.response = response;
    chip = queuePair.chip();
    keys = chip.keys();
    pd = queuePair.pd();
    for (int i = 0; i < MAX_SLOTS; i++) {
      slots[i] = new ReadSlot();
    }
  }

  void reset() {
    answered = accepted;
    for (ReadSlot slot : slots) {
      slot.packets = 0;
    }
  }

  void start(View qpc) {
    slotCount = 1 << Math.min(qpc.getInt(Qpc.LOG_RRA_MAX), 4);
  }

  void configure(View qpc) {
    allowsRead = qpc.isSet(Qpc.RRE);
    allowsAtomic = qpc.isSet(Qpc.RAE);
  }

  /** True when nothing is left to be answered. */
  boolean isIdle() {
    return answered == accepted;
  }

  /** Forgets what is still to be answered. */
  void giveUp() {
    answered = accepted;
  }

  // ---- requests

  boolean executeRead(Request request) {
    if (delivery.isInMessage()) {
      return delivery.outOfOrder(request);
    }
    if (!allowsRead) {
      return delivery.refuseRight(request, "rre");
    }
    if (request.length > 0
        && !keys.allows(request.rkey, request.address, request.length, pd, MemoryKey.REMOTE_READ)) {
      return delivery.refuseKey(
          request.rkey, MemoryKey.REMOTE_READ, request.address, request.length);
    }
    return accept(request) != null;
  }

  boolean executeAtomic(Request request) {
    if (delivery.isInMessage()) {
      return delivery.outOfOrder(request);
    }
    if (!allowsAtomic) {
      return delivery.refuseRight(request, "rae");
    }
    if ((request.address & AtomicSegment.OPERAND_BYTES - 1) != 0) {
      return refusal.refuse(
          Nak.INVALID_REQUEST,
          0,
          "address 0x%x of an atomic is not a multiple of 8".formatted(request.address));
    }
    long at =
        keys.translate(
            request.rkey,
            request.address,
            AtomicSegment.OPERAND_BYTES,
            pd,
            MemoryKey.REMOTE_ATOMIC);
    if (at == KeyTable.REFUSED) {
      return executeForeignAtomic(request);
    }
    ReadSlot slot = accept(request);
    if (slot == null) {
      return false;
    }
    slot.original = Atomics.execute(at, request);
    return true;
  }

  // Atomic among work requests, as whoever runs the engine executes one at a time; not against the
  // process's own stores.
  private boolean executeForeignAtomic(Request request) {
    int bytes = AtomicSegment.OPERAND_BYTES;
    int rkey = request.rkey;
    MemoryKey key = keys.foreign(rkey, request.address, bytes, pd, MemoryKey.REMOTE_ATOMIC);
    if (key == null) {
      return delivery.refuseKey(rkey, MemoryKey.REMOTE_ATOMIC, request.address, bytes);
    }
    HcaForeignMemory memory = Objects.requireNonNull(key.foreign());
    long there = key.translate(request.address);
    long here = chip.staging().of(bytes);
    if (!memory.read(there, here, bytes)) {
      return delivery.refuseUnreachable(rkey);
    }
    ReadSlot slot = accept(request);
    if (slot == null) {
      return false;
    }
    slot.original = Atomics.execute(here, request);
    if (Memory.getNativeLong(here) == slot.original || memory.write(there, here, bytes)) {
      return true;
    }
    accepted--;
    return delivery.refuseUnreachable(rkey);
  }

  /**
   * Takes a slot for a READ or atomic; null when the requester has more outstanding than it may,
   * and is refused.
   */
  private @Nullable ReadSlot accept(Request request) {
    if (accepted - answered == slotCount) {
      refusal.refuse(
          Nak.INVALID_REQUEST,
          0,
          "more than %d READs and atomics are outstanding (log_rra_max)".formatted(slotCount));
      return null;
    }
    ReadSlot slot = slots[accepted++ & slotCount - 1];
    slot.opcode = request.opcode;
    slot.psn = request.psn;
    slot.packets = request.packets;
    slot.address = request.address;
    slot.rkey = request.rkey;
    slot.length = request.length;
    slot.sent = 0;
    return slot;
  }

  /** Answers a READ or atomic again that was executed before. */
  void replay(Request request) {
    for (int i = 1; i <= slotCount; i++) {
      ReadSlot slot = slots[accepted - i & slotCount - 1];
      if (slot.covers(request.psn) && slot.opcode == request.opcode && slot.rkey == request.rkey) {
        slot.sent = (long) Psn.distance(slot.psn, request.psn) << queuePair.logMtu();
        int again = accepted - i;
        if (again - answered < 0) {
          answered = again;
        }
        return;
      }
    }
    chip.recorder().record(Happening.DROPPED, queuePair.number(), 0, request.psn);
  }

  // ---- answers

  /** Answers the oldest, or as much of it as one response carries; how many bytes. */
  long answer() {
    ReadSlot slot = slots[answered & slotCount - 1];
    return slot.opcode == WqeOpcode.RDMA_READ ? answerRead(slot) : answerAtomic(slot);
  }

  private long answerRead(ReadSlot slot) {
    int bytes =
        (int) Math.min(slot.length - slot.sent, queuePair.link().burstBytes(queuePair.logMtu()));
    int psn = Psn.add(slot.psn, (int) (slot.sent >>> queuePair.logMtu()));
    response.payload.clear();
    if (bytes > 0) {
      long from =
          keys.translate(slot.rkey, slot.address + slot.sent, bytes, pd, MemoryKey.REMOTE_READ);
      if (from != KeyTable.REFUSED) {
        response.payload.add(from, bytes);
      } else if (!readForeign(slot, bytes)) {
        responder.refuseAnswer(psn);
        return bytes;
      }
    }
    response.payloadBytes = bytes;
    slot.sent += bytes;
    if (slot.sent == slot.length) {
      answered++;
    }
    responder.respond(Response.Kind.READ, psn, Psn.packets(bytes, queuePair.logMtu()), 0);
    return bytes;
  }

  private boolean readForeign(ReadSlot slot, int bytes) {
    long at = slot.address + slot.sent;
    MemoryKey foreign = keys.foreign(slot.rkey, at, bytes, pd, MemoryKey.REMOTE_READ);
    if (foreign == null) {
      return delivery.refuseKey(slot.rkey, MemoryKey.REMOTE_READ, at, bytes);
    }
    response.payload.addForeign(foreign, at, bytes);
    return response.payload.fetch(chip.staging().of(bytes), bytes)
        || delivery.refuseUnreachable(slot.rkey);
  }

  private long answerAtomic(ReadSlot slot) {
    answered++;
    response.original = slot.original;
    responder.respond(Response.Kind.ATOMIC, slot.psn, 1, 0);
    return AtomicSegment.OPERAND_BYTES;
  }
}
