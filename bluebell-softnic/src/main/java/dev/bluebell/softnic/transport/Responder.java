package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.ReceiveWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeForm;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The responder of a reliable connection: checks each request, executes it in PSN order, and
 * answers when it has its turn. Pure logic. Owned by whoever runs the engine.
 */
public final class Responder {
  private static final int MAX_SLOTS = 16;
  private static final long BYTES_PER_TURN = 256 << 10;
  private static final int NO_NAK = 0;

  private final QueuePair queuePair;
  private final Chip chip;
  private final ReceiveWqe receive = new ReceiveWqe();
  private final SegmentList target = new SegmentList();
  private final Response response = new Response();
  private final Fault fault = new Fault();

  private int expected;
  private int msn;
  private int rnrTimer;

  // The message that is arriving.
  private boolean inMessage;
  private boolean established;
  private boolean isWrite;
  private boolean holdsReceive;
  private long placed;
  private long address;
  private int rkey;
  private long length;

  // READs and atomics: a ring of slots, [answered, accepted) still to be answered, older ones
  // remembered.
  private final ReadSlot[] slots = new ReadSlot[MAX_SLOTS];
  private int slotCount = 1;
  private int answered;
  private int accepted;

  // What is to be answered behind the READs.
  private boolean acknowledge;
  private boolean gapReported;
  private boolean reportGap;
  private boolean notReady;
  private boolean reportNotReady;
  private int nak = NO_NAK;
  private int nakPsn;
  private int receiveSyndrome;
  private String nakExplanation = "";

  // Attributes of the connection, held here because every message needs them.
  private final int number;
  private final int pd;
  private final KeyTable keys;
  private final ReceiveQueue receiveQueue;
  private final CompletionQueue completions;
  private final int userIndex;
  private int remoteQpn;
  private long remoteGidHigh;
  private long remoteGidLow;
  private boolean allowsRead;
  private boolean allowsWrite;
  private boolean allowsAtomic;

  Responder(QueuePair queuePair) {
    this.queuePair = queuePair;
    chip = queuePair.chip();
    number = queuePair.number();
    pd = queuePair.pd();
    keys = chip.keys();
    receiveQueue = queuePair.receiveQueue();
    completions = queuePair.receiveCompletions();
    userIndex = queuePair.userIndex();
    for (int i = 0; i < MAX_SLOTS; i++) {
      slots[i] = new ReadSlot();
    }
  }

  /** PSN of the next request. */
  public int expectedPsn() {
    return expected;
  }

  void reset() {
    inMessage = false;
    established = false;
    holdsReceive = false;
    answered = accepted;
    acknowledge = false;
    gapReported = false;
    reportGap = false;
    notReady = false;
    reportNotReady = false;
    nak = NO_NAK;
    for (ReadSlot slot : slots) {
      slot.packets = 0;
    }
  }

  /** Takes the attributes that the transition to RTR sets. */
  void start(View qpc) {
    expected = qpc.getInt(Qpc.NEXT_RCV_PSN);
    msn = 0;
    slotCount = 1 << Math.min(qpc.getInt(Qpc.LOG_RRA_MAX), 4);
  }

  /** Takes the attributes that may also change later. */
  void configure(View qpc) {
    rnrTimer = qpc.getInt(Qpc.MIN_RNR_NAK);
    remoteQpn = queuePair.remoteQpn();
    remoteGidHigh = queuePair.remoteGid().high();
    remoteGidLow = queuePair.remoteGid().low();
    allowsRead = qpc.isSet(Qpc.RRE);
    allowsWrite = qpc.isSet(Qpc.RWE);
    allowsAtomic = qpc.isSet(Qpc.RAE);
  }

  // ---- requests

  /**
   * Takes a request off the fabric.
   *
   * @return why it was dropped without an answer; empty when it was not
   */
  public String receive(Request request) {
    int state = queuePair.state();
    if (state != QpState.RTS
        || request.sourceQpn != remoteQpn
        || request.sourceGidLow != remoteGidLow
        || request.sourceGidHigh != remoteGidHigh
        || nak != NO_NAK) {
      String why = whyNot(request, state);
      if (!why.isEmpty()) {
        return why;
      }
    }
    if (request.psn == expected) {
      execute(request);
    } else {
      outOfSequence(request);
    }
    queuePair.scheduler().activate(queuePair);
    return "";
  }

  /** Says why a request is dropped; empty when it is not. */
  private String whyNot(Request request, int state) {
    if (state < QpState.RTR || state == QpState.ERR || state == QpState.SQER) {
      return drop(
          request,
          "QP 0x%x is in %s and takes no requests".formatted(number, Happening.stateName(state)));
    }
    if (request.sourceQpn != remoteQpn) {
      return drop(
          request,
          "QP 0x%x is connected to QP 0x%x (remote_qpn), not to QP 0x%x which sent the request"
              .formatted(number, remoteQpn, request.sourceQpn));
    }
    if (request.sourceGidLow != remoteGidLow || request.sourceGidHigh != remoteGidHigh) {
      return drop(
          request,
          "QP 0x%x is connected to GID %s (rgid), not to %s which sent the request"
              .formatted(
                  number,
                  queuePair.remoteGid(),
                  new Gid(request.sourceGidHigh, request.sourceGidLow)));
    }
    if (nak != NO_NAK) {
      return drop(request, "QP 0x%x refused an earlier request".formatted(number));
    }
    if (state == QpState.RTR && !established && expected == request.psn) {
      established = true;
      queuePair.raise(HcaEvent.COMMUNICATION_ESTABLISHED);
    }
    return "";
  }

  private void outOfSequence(Request request) {
    if (Psn.distance(expected, request.psn) > 0) {
      chip.recorder().record(Happening.DROPPED, number, 0, request.psn);
      // One NAK for a gap; and none behind an RNR NAK, which makes the requester send all of it
      // again anyway.
      reportGap |= !gapReported && !notReady;
      gapReported = true;
    } else {
      duplicate(request);
    }
  }

  private String drop(Request request, String why) {
    chip.recorder().record(Happening.DROPPED, number, 0, request.psn);
    return why;
  }

  private void execute(Request request) {
    gapReported = false;
    reportGap = false;
    notReady = false;
    reportNotReady = false;
    boolean done =
        switch (request.opcode) {
          case WqeOpcode.SEND, WqeOpcode.SEND_IMM, WqeOpcode.SEND_INVAL -> executeSend(request);
          case WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM -> executeWrite(request);
          case WqeOpcode.RDMA_READ -> executeRead(request);
          case WqeOpcode.ATOMIC_CS, WqeOpcode.ATOMIC_FA -> executeAtomic(request);
          default ->
              refuse(
                  Nak.INVALID_REQUEST,
                  0,
                  "opcode %s is none of a reliable connection"
                      .formatted(WqeOpcode.name(request.opcode)));
        };
    if (done) {
      expected = Psn.add(expected, request.packets);
      if (request.last) {
        msn = msn + 1 & Psn.MASK;
      }
      // The answer of a READ or atomic acknowledges it and everything before it.
      acknowledge = !WqeForm.fetches(request.opcode) && (acknowledge || request.acknowledge);
    }
  }

  private boolean executeSend(Request request) {
    if (request.first == inMessage || inMessage && isWrite) {
      return outOfOrder(request);
    }
    if (request.first) {
      if (!takeReceive()) {
        return false;
      }
      begin(false);
    }
    int bytes = request.payloadBytes;
    if (placed + bytes > receive.capacity()) {
      return refuse(
          Nak.INVALID_REQUEST,
          Syndrome.LOCAL_LENGTH_ERR,
          "a message of %s%d bytes (its byte_counts together) does not fit the %d bytes of the receive WQE's scatter list"
              .formatted(request.last ? "" : "at least ", placed + bytes, receive.capacity()));
    }
    if (bytes > 0) {
      if (!DataSegments.collect(
          receive.segments(),
          receive.end(),
          placed,
          bytes,
          keys,
          receiveQueue.pd(),
          MemoryKey.LOCAL_WRITE,
          target,
          fault)) {
        String why = fault.explanation();
        fault.clear();
        return refuse(Nak.REMOTE_OPERATION, Syndrome.LOCAL_PROT_ERR, why);
      }
      if (!request.payload.copyTo(target, bytes)) {
        return refuse(
            Nak.REMOTE_OPERATION,
            Syndrome.LOCAL_PROT_ERR,
            KeyTable.unreachable("lkey", target.failedKey()));
      }
      placed += bytes;
    }
    if (request.last && request.opcode == WqeOpcode.SEND_INVAL) {
      String why = keys.invalidate(request.immediate, pd);
      if (!why.isEmpty()) {
        return refuse(Nak.REMOTE_ACCESS, Syndrome.LOCAL_ACCESS_ERR, why);
      }
    }
    return !request.last
        || finish(
            request.opcode == WqeOpcode.SEND ? CqeOpcode.RESP_SEND : withImmediate(request),
            (int) placed,
            request.opcode == WqeOpcode.SEND ? 0 : request.immediate,
            request.solicited);
  }

  private static int withImmediate(Request request) {
    return request.opcode == WqeOpcode.SEND_INVAL
        ? CqeOpcode.RESP_SEND_INV
        : CqeOpcode.RESP_SEND_IMM;
  }

  private boolean executeWrite(Request request) {
    if (request.first == inMessage || inMessage && !isWrite) {
      return outOfOrder(request);
    }
    boolean completes = request.last && request.opcode == WqeOpcode.RDMA_WRITE_IMM;
    if (!allowsWrite) {
      return refuseRight(request, "rwe");
    }
    if (completes && !takeReceive()) {
      return false;
    }
    if (request.first && request.last) {
      return writeWhole(request, completes);
    }
    if (request.first) {
      begin(true);
      address = request.address;
      rkey = request.rkey;
      length = request.length;
      if (!keys.allows(rkey, address, length, pd, MemoryKey.REMOTE_WRITE)) {
        return refuseKey(MemoryKey.REMOTE_WRITE, address, length);
      }
    }
    long end = placed + request.payloadBytes;
    if (request.last ? end != length : end > length) {
      return refuseLength(end, length);
    }
    if (!write(request, address + placed, rkey)) {
      return false;
    }
    placed = end;
    inMessage = !request.last;
    return !completes
        || finish(CqeOpcode.RESP_WR_IMM, (int) length, request.immediate, request.solicited);
  }

  private boolean writeWhole(Request request, boolean completes) {
    int bytes = request.payloadBytes;
    if (bytes != request.length) {
      return refuseLength(bytes, request.length);
    }
    return write(request, request.address, request.rkey)
        && (!completes
            || finish(CqeOpcode.RESP_WR_IMM, bytes, request.immediate, request.solicited));
  }

  /** Writes the payload of one request where an address and key say; no bytes need no key. */
  private boolean write(Request request, long at, int key) {
    int bytes = request.payloadBytes;
    if (bytes > 0) {
      long to = keys.translate(key, at, bytes, pd, MemoryKey.REMOTE_WRITE);
      if (to == KeyTable.REFUSED) {
        return writeForeign(request, at, key);
      }
      request.payload.copyTo(to, bytes);
    }
    return true;
  }

  private boolean writeForeign(Request request, long at, int key) {
    int bytes = request.payloadBytes;
    rkey = key;
    MemoryKey foreign = keys.foreign(key, at, bytes, pd, MemoryKey.REMOTE_WRITE);
    if (foreign == null) {
      return refuseKey(MemoryKey.REMOTE_WRITE, at, bytes);
    }
    target.clear();
    target.addForeign(foreign, at, bytes);
    return request.payload.copyTo(target, bytes) || refuseUnreachable();
  }

  private boolean refuseLength(long bytes, long expectedBytes) {
    return refuse(
        Nak.INVALID_REQUEST,
        heldSyndrome(),
        "an RDMA WRITE carries %d bytes where its length says %d".formatted(bytes, expectedBytes));
  }

  private boolean refuseRight(Request request, String field) {
    return refuse(
        Nak.INVALID_REQUEST,
        heldSyndrome(),
        "opcode %s needs %s, which QP 0x%x does not have"
            .formatted(WqeOpcode.name(request.opcode), field, number));
  }

  // ---- requests that cut through

  /**
   * True when the next request may come from this source with this PSN, be an RDMA WRITE, and find
   * nothing to be answered before it.
   */
  boolean awaits(Request source, int psn) {
    return (queuePair.state() == QpState.RTS || queuePair.state() == QpState.RTR && established)
        && source.sourceQpn == remoteQpn
        && source.sourceGidLow == remoteGidLow
        && source.sourceGidHigh == remoteGidHigh
        && psn == expected
        && nak == NO_NAK
        && allowsWrite
        && !inMessage
        && answered == accepted
        && !acknowledge
        && !reportGap
        && !reportNotReady;
  }

  int pd() {
    return pd;
  }

  /** True when a message that needs a receive WQE can complete. */
  boolean canReceive() {
    return receiveQueue.available() > 0 && !receiveQueue.isOverrun() && completions.hasRoom();
  }

  /** Completes an RDMA WRITE with immediate, for which {@link #canReceive} was true. */
  void receiveImmediate(int bytes, int immediate, boolean solicited) {
    int index = receiveQueue.pass();
    raiseLimit();
    complete(CqeOpcode.RESP_WR_IMM, index, bytes, immediate, solicited);
  }

  /** Takes note of requests that were executed from the expected PSN on. */
  void passed(int messages, int nextPsn) {
    expected = nextPsn;
    msn = msn + messages & Psn.MASK;
    gapReported = false;
    notReady = false;
  }

  private void begin(boolean write) {
    inMessage = true;
    isWrite = write;
    placed = 0;
  }

  private boolean outOfOrder(Request request) {
    return refuse(
        Nak.INVALID_REQUEST,
        heldSyndrome(),
        "opcode %s %s while %s"
            .formatted(
                WqeOpcode.name(request.opcode),
                request.first ? "starts" : "continues",
                inMessage ? "another message is arriving" : "no message is"));
  }

  /** Consumes a receive WQE; false when none is posted, and the requester will be told so. */
  private boolean takeReceive() {
    ReceiveQueue queue = receiveQueue;
    if (queue.available() == 0) {
      notReady = true;
      reportNotReady = true;
      nakExplanation =
          "QP 0x%x has no receive WQE posted; post receives and ring their doorbell record before the peer sends"
              .formatted(number);
      return false;
    }
    if (queue.isOverrun()) {
      return refuse(
          Nak.REMOTE_OPERATION,
          0,
          "the doorbell record's receive counter of QP 0x%x claims more WQEs than the %d that the ring has"
              .formatted(number, queue.size()));
    }
    queue.take(receive);
    holdsReceive = true;
    raiseLimit();
    return true;
  }

  private void raiseLimit() {
    if (receiveQueue.reachedLimit()) {
      chip.events().raise(HcaEvent.SRQ_LIMIT, receiveQueue.number(), 0);
    }
  }

  private boolean finish(int opcode, int bytes, int immediate, boolean solicited) {
    inMessage = false;
    holdsReceive = false;
    if (!complete(opcode, receive.index(), bytes, immediate, solicited)) {
      queuePair.failUnreported("its receive CQ 0x%x is overrun".formatted(completions.number()));
      return false;
    }
    return true;
  }

  private boolean complete(int opcode, int index, int bytes, int immediate, boolean solicited) {
    return completions.completeReceive(
        opcode, number, userIndex, remoteQpn, index, bytes, immediate, solicited);
  }

  private boolean executeRead(Request request) {
    if (inMessage) {
      return outOfOrder(request);
    }
    if (!allowsRead) {
      return refuseRight(request, "rre");
    }
    rkey = request.rkey;
    if (request.length > 0
        && !keys.allows(rkey, request.address, request.length, pd, MemoryKey.REMOTE_READ)) {
      return refuseKey(MemoryKey.REMOTE_READ, request.address, request.length);
    }
    return accept(request) != null;
  }

  private boolean executeAtomic(Request request) {
    if (inMessage) {
      return outOfOrder(request);
    }
    if (!allowsAtomic) {
      return refuseRight(request, "rae");
    }
    if ((request.address & AtomicSegment.OPERAND_BYTES - 1) != 0) {
      return refuse(
          Nak.INVALID_REQUEST,
          0,
          "address 0x%x of an atomic is not a multiple of 8".formatted(request.address));
    }
    rkey = request.rkey;
    long at =
        keys.translate(
            rkey, request.address, AtomicSegment.OPERAND_BYTES, pd, MemoryKey.REMOTE_ATOMIC);
    if (at == KeyTable.REFUSED) {
      return executeForeignAtomic(request);
    }
    ReadSlot slot = accept(request);
    if (slot == null) {
      return false;
    }
    slot.original = atomic(at, request);
    return true;
  }

  private static long atomic(long at, Request request) {
    return request.opcode == WqeOpcode.ATOMIC_CS
        ? compareAndSwap(at, request)
        : fetchAndAdd(at, request);
  }

  // Atomic among work requests, as whoever runs the engine executes one at a time; not against the
  // process's own stores.
  private boolean executeForeignAtomic(Request request) {
    int bytes = AtomicSegment.OPERAND_BYTES;
    MemoryKey key = keys.foreign(rkey, request.address, bytes, pd, MemoryKey.REMOTE_ATOMIC);
    if (key == null) {
      return refuseKey(MemoryKey.REMOTE_ATOMIC, request.address, bytes);
    }
    HcaForeignMemory memory = Objects.requireNonNull(key.foreign());
    long there = key.translate(request.address);
    long here = chip.staging().of(bytes);
    if (!memory.read(there, here, bytes)) {
      return refuseUnreachable();
    }
    ReadSlot slot = accept(request);
    if (slot == null) {
      return false;
    }
    slot.original = atomic(here, request);
    if (Memory.getNativeLong(here) == slot.original || memory.write(there, here, bytes)) {
      return true;
    }
    accepted--;
    return refuseUnreachable();
  }

  // A zero-based or shifted region can put an aligned virtual address on an odd host address, where
  // the host has no atomic access.
  private static long compareAndSwap(long at, Request request) {
    if ((at & 7) == 0) {
      return Memory.compareAndExchangeNativeLong(at, request.compare, request.swapAdd);
    }
    long original = Memory.getNativeLong(at);
    if (original == request.compare) {
      Memory.putNativeLong(at, request.swapAdd);
    }
    return original;
  }

  private static long fetchAndAdd(long at, Request request) {
    if ((at & 7) == 0) {
      return Memory.getAndAddNativeLong(at, request.swapAdd);
    }
    long original = Memory.getNativeLong(at);
    Memory.putNativeLong(at, original + request.swapAdd);
    return original;
  }

  /**
   * Takes a slot for a READ or atomic; null when the requester has more outstanding than it may,
   * and is refused.
   */
  private @Nullable ReadSlot accept(Request request) {
    if (accepted - answered == slotCount) {
      refuse(
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

  private boolean refuseKey(int right, long at, long bytes) {
    return refuse(
        Nak.REMOTE_ACCESS,
        holdsReceive ? Syndrome.LOCAL_ACCESS_ERR : 0,
        keys.refusal("rkey", rkey, at, bytes, pd, right));
  }

  private boolean refuseUnreachable() {
    return refuse(
        Nak.REMOTE_ACCESS,
        holdsReceive ? Syndrome.LOCAL_ACCESS_ERR : 0,
        KeyTable.unreachable("rkey", rkey));
  }

  private int heldSyndrome() {
    return holdsReceive ? Syndrome.LOCAL_QP_OP_ERR : 0;
  }

  /**
   * Refuses the request at the expected PSN for good.
   *
   * @param syndrome of the receive WQE in use; 0 when there is none
   * @return false
   */
  private boolean refuse(int code, int syndrome, String explanation) {
    nak = code;
    nakPsn = expected;
    receiveSyndrome = syndrome;
    nakExplanation = explanation;
    return false;
  }

  // ---- duplicates

  /** Answers a request that was executed before, without executing it again. */
  private void duplicate(Request request) {
    if (WqeForm.fetches(request.opcode)) {
      replay(request);
    } else {
      acknowledge = true;
    }
  }

  private void replay(Request request) {
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
    chip.recorder().record(Happening.DROPPED, number, 0, request.psn);
  }

  // ---- responses

  /** Answers what one turn allows; how much was done. */
  int respond() {
    int state = queuePair.state();
    if (state != QpState.RTR && state != QpState.RTS) {
      return 0;
    }
    int done = 0;
    long budget = BYTES_PER_TURN;
    while (answered != accepted && budget > 0) {
      ReadSlot slot = slots[answered & slotCount - 1];
      budget -= slot.opcode == WqeOpcode.RDMA_READ ? answerRead(slot) : answerAtomic(slot);
      done++;
    }
    if (answered == accepted && (nak != NO_NAK || reportNotReady || reportGap || acknowledge)) {
      answerLast();
      done++;
    }
    return done;
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
        nakPsn = psn;
        answered = accepted;
        return bytes;
      }
    }
    response.payloadBytes = bytes;
    slot.sent += bytes;
    if (slot.sent == slot.length) {
      answered++;
    }
    respond(Response.Kind.READ, psn, Psn.packets(bytes, queuePair.logMtu()), 0);
    return bytes;
  }

  private boolean readForeign(ReadSlot slot, int bytes) {
    long at = slot.address + slot.sent;
    rkey = slot.rkey;
    MemoryKey foreign = keys.foreign(rkey, at, bytes, pd, MemoryKey.REMOTE_READ);
    if (foreign == null) {
      return refuseKey(MemoryKey.REMOTE_READ, at, bytes);
    }
    response.payload.addForeign(foreign, at, bytes);
    return response.payload.fetch(chip.staging().of(bytes), bytes) || refuseUnreachable();
  }

  private long answerAtomic(ReadSlot slot) {
    answered++;
    response.original = slot.original;
    respond(Response.Kind.ATOMIC, slot.psn, 1, 0);
    return AtomicSegment.OPERAND_BYTES;
  }

  private void answerLast() {
    acknowledge &= nak == NO_NAK && !reportNotReady && !reportGap;
    if (nak != NO_NAK) {
      giveUp();
    } else if (reportNotReady) {
      reportNotReady = false;
      response.explanation = nakExplanation;
      respond(Response.Kind.RECEIVER_NOT_READY, expected, 1, rnrTimer);
      response.explanation = "";
    } else if (reportGap) {
      reportGap = false;
      respond(Response.Kind.NAK, expected, 1, Nak.PSN_SEQUENCE);
    } else {
      acknowledge = false;
      respond(Response.Kind.ACKNOWLEDGE, Psn.add(expected, -1), 1, 0);
    }
  }

  private void giveUp() {
    String sentence =
        "QP 0x%x refused the request at PSN %d: %s".formatted(number, nakPsn, nakExplanation);
    response.explanation = sentence;
    respond(Response.Kind.NAK, nakPsn, 1, nak);
    response.explanation = "";
    if (holdsReceive) {
      completeReceiveInError(receiveSyndrome, VendorSyndrome.UNKNOWN, sentence);
    } else {
      chip.explanations().add(HcaObserver.Subject.QUEUE_PAIR, number, sentence);
      queuePair.raise(
          nak == Nak.REMOTE_ACCESS ? HcaEvent.WQ_ACCESS_ERROR : HcaEvent.WQ_INVALID_REQUEST);
    }
    nak = NO_NAK;
    queuePair.fail(sentence);
  }

  /** Flushes the receive WQE of a message that was arriving. */
  void flushHeld(String cause) {
    if (holdsReceive) {
      completeReceiveInError(Syndrome.WR_FLUSH_ERR, VendorSyndrome.FLUSHED, cause);
    }
  }

  private void completeReceiveInError(int syndrome, int vendorSyndrome, String explanation) {
    holdsReceive = false;
    completions.completeError(
        CqeOpcode.RESP_ERR,
        number,
        queuePair.userIndex(),
        0,
        receive.index(),
        syndrome,
        vendorSyndrome,
        explanation);
  }

  private void respond(Response.Kind kind, int psn, int packets, int code) {
    response.kind = kind;
    response.destinationQpn = remoteQpn;
    response.sourceQpn = number;
    response.psn = psn;
    response.packets = packets;
    response.msn = msn;
    response.code = code;
    if (queuePair.isReachable()) {
      queuePair.link().respond(response);
    }
  }
}
