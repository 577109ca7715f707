package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.receive.Arrival;
import dev.bluebell.softnic.transport.receive.Atomics;
import dev.bluebell.softnic.transport.receive.IncomingMessage;
import dev.bluebell.softnic.transport.receive.MaskedAtomics;
import dev.bluebell.softnic.transport.receive.Refusal;
import dev.bluebell.softnic.transport.receive.Refusals;
import org.jspecify.annotations.Nullable;

/**
 * The part of an {@link RcResponder} that serves READs and atomics: accepts them, executes atomics,
 * responds in order, and remembers them to respond to duplicates. Owned by the thread that runs the
 * engine.
 */
final class ReadResponder {
  private static final int MAX_SLOTS = 16;

  private final Chip chip;
  private final QpIdentity self;
  private final Connection connection;
  private final IncomingMessage message;
  private final Refusal refusal;
  private final Refusals refusals;
  private final KeyTable keys;
  private final Effort effort;
  private final RcReplies replies;
  private final Packet response;
  private final MaskedAtomics masked = new MaskedAtomics();
  private final SegmentList operand = new SegmentList();
  private final SegmentList result = new SegmentList();
  private final @Nullable Adversary adversary;

  // A ring of the last accepted requests. All are remembered; some have a pending response.
  private final ReadSlot[] slots = new ReadSlot[MAX_SLOTS];
  private int slotCount = 1;
  private int accepted;
  private int pending;

  // The request of a late atomic; null until there was one.
  private @Nullable Packet late;

  // As in RcSender.
  private boolean heavy;

  private boolean allowsRead;
  private boolean allowsAtomic;
  private int atomicMode;

  /**
   * @param arrival holds the arriving message, if any, and the refusal when a method returns false
   * @param replies sends the responses
   */
  ReadResponder(End end, Arrival arrival, RcReplies replies) {
    chip = end.chip();
    self = end.self();
    connection = end.connection();
    message = arrival.message();
    refusal = arrival.refusal();
    refusals = arrival.refusals();
    this.replies = replies;
    response = replies.response();
    keys = chip.keys();
    effort = chip.scheduler().effort();
    adversary = chip.adversary();
    for (int i = 0; i < MAX_SLOTS; i++) {
      slots[i] = new ReadSlot();
    }
  }

  void reset() {
    giveUp();
    for (ReadSlot slot : slots) {
      slot.psns = 0;
    }
  }

  void start(int logReads) {
    slotCount = 1 << Math.min(logReads, 4);
  }

  void configure(ResponderAttributes attributes) {
    allowsRead = attributes.reads();
    allowsAtomic = attributes.atomics();
    atomicMode = attributes.atomicMode();
  }

  /** True when no response is pending. */
  boolean isIdle() {
    return pending == 0;
  }

  /** Drops all pending responses. */
  void giveUp() {
    for (ReadSlot slot : slots) {
      slot.pending = false;
    }
    pending = 0;
  }

  // ---- requests

  /** PSNs that the response of a request takes. */
  int psns(Packet request) {
    return BthOpcode.operation(request.opcode) == BthOpcode.READ_REQUEST
        ? Psn.packets(request.length, connection.logMtu())
        : 1;
  }

  /** Accepts a READ or executes an atomic; false when it is refused. */
  boolean execute(Packet request) {
    if (message.isArriving()) {
      return refusals.order(request);
    }
    return switch (BthOpcode.operation(request.opcode)) {
      case BthOpcode.READ_REQUEST -> executeRead(request);
      case BthOpcode.COMPARE_SWAP, BthOpcode.FETCH_ADD -> executeAtomic(request);
      default -> refusals.opcode(request);
    };
  }

  private boolean executeRead(Packet request) {
    if (!allowsRead) {
      return refusals.rightToRead(request, "rre", "IBV_ACCESS_REMOTE_READ");
    }
    if (request.length < 0 || request.length > WqeDecoder.MAX_MESSAGE) {
      return refusals.invalidRequest(
          "a READ asks for %d bytes, more than the 2^30 bytes of a message"
              .formatted(request.length));
    }
    if (request.length > 0
        && !keys.allows(
            request.rkey,
            request.address,
            request.length,
            message.pd(),
            self.number(),
            MemoryKey.REMOTE_READ)) {
      return refusals.key(request.rkey, MemoryKey.REMOTE_READ, request.address, request.length);
    }
    return accept(request) != null;
  }

  private boolean executeAtomic(Packet request) {
    if (!allowsAtomic) {
      return refusals.rightToRead(request, "rae", "IBV_ACCESS_REMOTE_ATOMIC");
    }
    int bytes = request.masked.bytes;
    if (bytes == 0) {
      bytes = AtomicSegment.OPERAND_BYTES;
    } else if (!allowsMasked(bytes)) {
      return refusals.invalidRequest(
          "atomic_mode %d of QP 0x%x does not allow masked atomics of %d bytes"
              .formatted(atomicMode, self.number(), bytes));
    }
    if ((request.address & bytes - 1) != 0) {
      return refusals.invalidRequest(
          "address 0x%x of an atomic is not a multiple of %d".formatted(request.address, bytes));
    }
    if (isToBeLate()) {
      ReadSlot slot = acceptAtomic(request, bytes);
      if (slot != null) {
        slot.delay(request);
      }
      return slot != null;
    }
    long at =
        keys.translate(request.rkey, request.address, bytes, message.pd(), MemoryKey.REMOTE_ATOMIC);
    if (at == KeyTable.REFUSED) {
      return executeResolvedAtomic(request, bytes);
    }
    ReadSlot slot = accept(request);
    if (slot == null) {
      return false;
    }
    execute(at, request, slot);
    return true;
  }

  /** True for an atomic that must wait for an earlier READ or atomic that is not done yet. */
  private boolean isToBeLate() {
    for (int i = 0; pending > 0 && i < slotCount; i++) {
      ReadSlot slot = slots[i];
      if (slot.pending
          && !slot.answered
          && (slot.late || BthOpcode.operation(slot.opcode) == BthOpcode.READ_REQUEST)) {
        return true;
      }
    }
    return adversary != null && adversary.delaysAtomic();
  }

  /** Executes a late atomic just before its response; false when its key no longer allows it. */
  private boolean executeLate(ReadSlot slot) {
    if (late == null) {
      late = new Packet();
    }
    Packet request = late;
    slot.takeOperands(request);
    int bytes = request.masked.bytes == 0 ? AtomicSegment.OPERAND_BYTES : request.masked.bytes;
    return perform(request, slot, bytes);
  }

  private boolean allowsMasked(int bytes) {
    return switch (bytes) {
      case 4 -> atomicMode >= Qpc.ATOMIC_MODE_8B;
      case 8 -> atomicMode >= Qpc.ATOMIC_MODE_ONLY_8B;
      case 16 -> atomicMode >= Qpc.ATOMIC_MODE_16B;
      default -> false;
    };
  }

  private void execute(long at, Packet request, ReadSlot slot) {
    if (request.masked.bytes == 0) {
      slot.original = Atomics.execute(at, request, chip.machine().strict());
    } else {
      masked.execute(at, request);
      slot.original = masked.original();
      slot.originalHigh = masked.originalHigh();
    }
  }

  /** True when the last executed atomic, on a local copy, did not change the value. */
  private boolean leftUnchanged(long here, Packet request, ReadSlot slot) {
    return request.masked.bytes == 0
        ? Memory.getNativeLong(here) == slot.original
        : masked.leftUnchanged();
  }

  private boolean executeResolvedAtomic(Packet request, int bytes) {
    ReadSlot slot = acceptAtomic(request, bytes);
    if (slot == null) {
      return false;
    }
    if (perform(request, slot, bytes)) {
      return true;
    }
    slot.pending = false;
    slot.psns = 0;
    pending--;
    return false;
  }

  /** Like {@link #accept}, if the key allows it. */
  private @Nullable ReadSlot acceptAtomic(Packet request, int bytes) {
    int rkey = request.rkey;
    boolean allowed =
        keys.allows(
            rkey, request.address, bytes, message.pd(), self.number(), MemoryKey.REMOTE_ATOMIC);
    if (!allowed) {
      refusals.key(rkey, MemoryKey.REMOTE_ATOMIC, request.address, bytes);
    }
    return allowed ? accept(request) : null;
  }

  // Atomic among work requests, because the engine's thread executes them one at a time. Not atomic
  // with respect to stores of another process that owns the memory.
  private boolean perform(Packet request, ReadSlot slot, int bytes) {
    int rkey = slot.rkey;
    operand.clear();
    if (!keys.resolve(
        rkey, slot.address, bytes, slot.pd, self.number(), MemoryKey.REMOTE_ATOMIC, operand)) {
      return refusals.key(rkey, MemoryKey.REMOTE_ATOMIC, slot.address, bytes, slot.pd);
    }
    if (operand.onlyPiece() != KeyTable.REFUSED) {
      execute(operand.onlyPiece(), request, slot);
      return true;
    }
    long here = chip.staging().of(bytes);
    if (!operand.read(here, bytes)) {
      return refusals.unreachable(rkey, operand);
    }
    execute(here, request, slot);
    result.clear();
    result.add(here, bytes);
    return leftUnchanged(here, request, slot)
        || result.copyTo(operand, bytes)
        || refusals.unreachable(rkey, operand);
  }

  /**
   * Takes a slot for a READ or atomic; null when it is refused, because the requester exceeds its
   * limit of outstanding ones.
   */
  private @Nullable ReadSlot accept(Packet request) {
    ReadSlot slot = slots[accepted & slotCount - 1];
    if (slot.pending && !slot.answered) {
      refusals.invalidRequest(
          "more READs and atomics are outstanding than the %d that it serves (2^log_rra_max): the requester's log_sra_max (max_rd_atomic) must not be larger"
              .formatted(slotCount));
      return null;
    }
    if (slot.pending) {
      // A late duplicate requested it. The requester already has its response, or else it would not
      // send a new request.
      pending--;
    }
    slot.opcode = request.opcode;
    slot.psn = request.psn;
    slot.psns = psns(request);
    slot.address = request.address;
    slot.rkey = request.rkey;
    slot.pd = message.pd();
    slot.length = request.length;
    slot.originalHigh = 0;
    slot.answered = false;
    slot.late = false;
    slot.ask(0, request.length);
    pending++;
    accepted++;
    return slot;
  }

  /** Responds again to a READ or atomic, or to the part of it that a duplicate requests. */
  void replay(Packet request) {
    for (int i = 1; i <= slotCount; i++) {
      ReadSlot slot = slots[accepted - i & slotCount - 1];
      long from = (long) Psn.distance(slot.psn, request.psn) << connection.logMtu();
      if (slot.covers(request.psn) && asksFor(slot, from, request)) {
        pending += slot.pending ? 0 : 1;
        slot.ask(from, from + request.length);
        return;
      }
    }
    chip.recorder().record(HcaHappening.DROPPED, self.number(), 0, request.psn);
  }

  /** True when a duplicate matches the original request, or the rest of it. */
  private static boolean asksFor(ReadSlot slot, long from, Packet request) {
    return slot.opcode == request.opcode
        && slot.rkey == request.rkey
        && slot.address + from == request.address
        && request.length >= 0
        && request.length <= slot.length - from;
  }

  // ---- answers

  /**
   * Responds to the oldest pending request (there must be one), or to as much of it as one response
   * carries; returns the bytes, or −1 when there is no room for a response now.
   *
   * @param budget bytes of the turn that are left
   */
  long answer(long budget) {
    int entry = accepted - slotCount;
    while (!slots[entry & slotCount - 1].pending) {
      entry++;
    }
    ReadSlot slot = slots[entry & slotCount - 1];
    return BthOpcode.operation(slot.opcode) == BthOpcode.READ_REQUEST
        ? answerRead(slot, budget)
        : answerAtomic(slot);
  }

  private void finish(ReadSlot slot) {
    slot.done();
    pending--;
  }

  private long answerRead(ReadSlot slot, long budget) {
    int logMtu = connection.logMtu();
    int bytes = (int) Math.min(slot.until - slot.sent, connection.burst(heavy ? 0 : budget));
    long spent = effort.spent();
    int psn = Psn.add(slot.psn, (int) (slot.sent >>> logMtu));
    response.payload.clear();
    if (bytes > 0) {
      long at = slot.address + slot.sent;
      long from = keys.translate(slot.rkey, at, bytes, slot.pd, MemoryKey.REMOTE_READ);
      if (from != KeyTable.REFUSED) {
        response.payload.add(from, bytes);
      } else if (!collect(slot, at, bytes)) {
        refuse(slot, psn);
        return bytes;
      }
    }
    response.payloadBytes = bytes;
    boolean last = slot.sent + bytes == slot.until;
    boolean taken =
        replies.respond(
            BthOpcode.readResponse(slot.fresh, last), psn, Psn.packets(bytes, logMtu), Aeth.ACK);
    response.payloadBytes = 0;
    heavy = Effort.isHeavy(effort.spent() - spent, heavy);
    if (!taken) {
      return -1;
    }
    slot.fresh = false;
    slot.sent += bytes;
    if (last) {
      finish(slot);
    }
    return bytes;
  }

  // A requester that has the response already does not need it: a duplicate must not end a
  // connection.
  private void refuse(ReadSlot slot, int psn) {
    if (slot.answered) {
      refusal.clear();
      chip.recorder().record(HcaHappening.DROPPED, self.number(), 0, psn);
      finish(slot);
    } else {
      refuseNew(slot, psn);
    }
  }

  /**
   * Refuses a request that was not answered before, at a PSN of its response, and drops all pending
   * responses behind it.
   */
  private void refuseNew(ReadSlot slot, int psn) {
    replies.refuseAnswer(psn, slot.pd);
    giveUp();
  }

  private boolean collect(ReadSlot slot, long at, int bytes) {
    int rkey = slot.rkey;
    if (!keys.resolve(
        rkey, at, bytes, slot.pd, self.number(), MemoryKey.REMOTE_READ, response.payload)) {
      return refusals.key(rkey, MemoryKey.REMOTE_READ, at, bytes, slot.pd);
    }
    return !response.payload.isToBeFetched()
        || response.payload.fetch(chip.staging().of(bytes), bytes)
        || refusals.unreachable(rkey, response.payload);
  }

  private long answerAtomic(ReadSlot slot) {
    if (slot.late && !executeLate(slot)) {
      refuseNew(slot, slot.psn);
      return slot.length;
    }
    response.payload.clear();
    response.original = slot.original;
    response.originalHigh = slot.originalHigh;
    if (!replies.respond(BthOpcode.ATOMIC_ACKNOWLEDGE, slot.psn, 1, Aeth.ACK)) {
      return -1;
    }
    finish(slot);
    return slot.length;
  }
}
