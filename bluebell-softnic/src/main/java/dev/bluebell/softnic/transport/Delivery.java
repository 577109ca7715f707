package dev.bluebell.softnic.transport;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.ReceiveWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * Puts the message that is arriving where it belongs: a SEND into a receive WQE's buffers, an RDMA
 * WRITE into the memory that its key names; and completes the receive WQE. What every service has
 * in common: in which order messages come, and who hears of a refusal, is the receivers' own. Owned
 * by whoever runs the engine.
 */
final class Delivery {
  private final QueuePair queuePair;
  private final Chip chip;
  private final Refusal refusal;
  private final KeyTable keys;
  private final ReceiveQueue receiveQueue;
  private final CompletionQueue completions;
  private final int number;
  private final int pd;
  private final int userIndex;
  private final ReceiveWqe receive = new ReceiveWqe();
  private final SegmentList target = new SegmentList();
  private final Fault fault = new Fault();

  // The message that is arriving.
  private boolean inMessage;
  private boolean isWrite;
  private boolean holdsReceive;
  private long placed;
  private long address;
  private int rkey;
  private long length;

  private boolean allowsWrite;
  // What completions say of the sender: flags_rqpn, and imm_inval_pkey of what has no immediate.
  private int sender;
  private int pkey;

  /**
   * @param refusal where a method that returns false says why; it stays clear when the completion
   *     queue is overrun, which has failed the queue pair already
   */
  Delivery(QueuePair queuePair, Refusal refusal) {
    this.queuePair = queuePair;
    this.refusal = refusal;
    chip = queuePair.chip();
    number = queuePair.number();
    pd = queuePair.pd();
    keys = chip.keys();
    receiveQueue = queuePair.receiveQueue();
    completions = queuePair.receiveCompletions();
    userIndex = queuePair.userIndex();
  }

  void reset() {
    inMessage = false;
    holdsReceive = false;
  }

  void configure(View qpc) {
    allowsWrite = qpc.isSet(Qpc.RWE);
    sender = queuePair.remoteQpn();
  }

  /**
   * Says what the completion of the next message has of its sender, which differs from datagram to
   * datagram.
   *
   * @param flags flags_rqpn
   * @param partition P_Key
   */
  void comesFrom(int flags, int partition) {
    sender = flags;
    pkey = partition;
  }

  /** True between the first piece of a message and its last. */
  boolean isInMessage() {
    return inMessage;
  }

  /** True when RDMA WRITEs are allowed (rwe). */
  boolean allowsWrite() {
    return allowsWrite;
  }

  /** True while a receive WQE is taken and not completed. */
  boolean holdsReceive() {
    return holdsReceive;
  }

  int pd() {
    return pd;
  }

  /** Gives up the message that is arriving; its receive WQE serves the next one. */
  void abandon() {
    inMessage = false;
  }

  // ---- SENDs

  /**
   * Delivers a piece of a SEND; false when it is refused.
   *
   * <p>One method on purpose, of more bytecode than the JIT inlines into its callers: so it is
   * compiled by itself. Requester, fabric and receiver in one unit hold more memory accesses than
   * the JIT folds, and SENDs take twice as long.
   */
  boolean send(Request request) {
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
      return refusal.refuse(
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
        return refusal.refuse(Nak.REMOTE_OPERATION, Syndrome.LOCAL_PROT_ERR, why);
      }
      if (!request.payload.copyTo(target, bytes)) {
        return refusal.refuse(
            Nak.REMOTE_OPERATION,
            Syndrome.LOCAL_PROT_ERR,
            KeyTable.unreachable("lkey", target.failedKey()));
      }
      placed += bytes;
    }
    if (request.last && request.opcode == WqeOpcode.SEND_INVAL) {
      String why = keys.invalidate(request.immediate, pd);
      if (!why.isEmpty()) {
        return refusal.refuse(Nak.REMOTE_ACCESS, Syndrome.LOCAL_ACCESS_ERR, why);
      }
    }
    return !request.last
        || finish(
            request.opcode == WqeOpcode.SEND ? CqeOpcode.RESP_SEND : withImmediate(request),
            (int) placed,
            request.opcode == WqeOpcode.SEND ? pkey : request.immediate,
            request.solicited);
  }

  private static int withImmediate(Request request) {
    return request.opcode == WqeOpcode.SEND_INVAL
        ? CqeOpcode.RESP_SEND_INV
        : CqeOpcode.RESP_SEND_IMM;
  }

  private void begin(boolean write) {
    inMessage = true;
    isWrite = write;
    placed = 0;
  }

  // ---- RDMA WRITEs

  /** Delivers a piece of an RDMA WRITE; false when it is refused. */
  boolean write(Request request) {
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
        return refuseKey(rkey, MemoryKey.REMOTE_WRITE, address, length);
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
    MemoryKey foreign = keys.foreign(key, at, bytes, pd, MemoryKey.REMOTE_WRITE);
    if (foreign == null) {
      return refuseKey(key, MemoryKey.REMOTE_WRITE, at, bytes);
    }
    target.clear();
    target.addForeign(foreign, at, bytes);
    return request.payload.copyTo(target, bytes) || refuseUnreachable(key);
  }

  // ---- refusals

  private boolean refuseLength(long bytes, long expectedBytes) {
    return refusal.refuse(
        Nak.INVALID_REQUEST,
        heldSyndrome(),
        "an RDMA WRITE carries %d bytes where its length says %d".formatted(bytes, expectedBytes));
  }

  /**
   * Refuses a request that needs a right which the queue pair lacks.
   *
   * @param field of the context
   */
  boolean refuseRight(Request request, String field) {
    return refusal.refuse(
        Nak.INVALID_REQUEST,
        heldSyndrome(),
        "opcode %s needs %s, which QP 0x%x does not have"
            .formatted(WqeOpcode.name(request.opcode), field, number));
  }

  /** Refuses a piece that neither starts a message nor continues the one that is arriving. */
  boolean outOfOrder(Request request) {
    return refusal.refuse(
        Nak.INVALID_REQUEST,
        heldSyndrome(),
        "opcode %s %s while %s"
            .formatted(
                WqeOpcode.name(request.opcode),
                request.first ? "starts" : "continues",
                inMessage ? "another message is arriving" : "no message is"));
  }

  /** Refuses an access that a remote key does not allow. */
  boolean refuseKey(int key, int right, long at, long bytes) {
    return refusal.refuse(
        Nak.REMOTE_ACCESS,
        holdsReceive ? Syndrome.LOCAL_ACCESS_ERR : 0,
        keys.refusal("rkey", key, at, bytes, pd, right));
  }

  /** Refuses an access to memory of another process that is not there. */
  boolean refuseUnreachable(int key) {
    return refusal.refuse(
        Nak.REMOTE_ACCESS,
        holdsReceive ? Syndrome.LOCAL_ACCESS_ERR : 0,
        KeyTable.unreachable("rkey", key));
  }

  private int heldSyndrome() {
    return holdsReceive ? Syndrome.LOCAL_QP_OP_ERR : 0;
  }

  // ---- receive WQEs

  /** Consumes a receive WQE, unless one is left of a message that was given up. */
  private boolean takeReceive() {
    if (holdsReceive) {
      return true;
    }
    ReceiveQueue queue = receiveQueue;
    if (queue.available() == 0) {
      // Who is starved in silence drops by the thousand, so the sentence is made when it is needed.
      return refusal.refuse(Nak.RECEIVER_NOT_READY, 0, "");
    }
    if (queue.isOverrun()) {
      return refusal.refuse(
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

  /** What a refusal with {@link Nak#RECEIVER_NOT_READY} means. */
  String starvation() {
    return "QP 0x%x has no receive WQE posted; post receives and ring their doorbell record before the peer sends"
        .formatted(number);
  }

  private void raiseLimit() {
    if (receiveQueue.reachedLimit()) {
      chip.events().raise(HcaEvent.SRQ_LIMIT, receiveQueue.number(), 0);
    }
  }

  private boolean finish(int opcode, int bytes, int immediate, boolean solicited) {
    inMessage = false;
    holdsReceive = false;
    if (!completions.completeReceive(
        opcode, number, userIndex, sender, receive.index(), bytes, immediate, solicited)) {
      queuePair.failUnreported("its receive CQ 0x%x is overrun".formatted(completions.number()));
      return false;
    }
    return true;
  }

  /** Completes the receive WQE that is held in error. */
  void failHeld(int syndrome, int vendorSyndrome, String explanation) {
    holdsReceive = false;
    completions.completeError(
        CqeOpcode.RESP_ERR,
        number,
        userIndex,
        0,
        receive.index(),
        syndrome,
        vendorSyndrome,
        explanation);
  }

  /** Flushes the receive WQE of a message that was arriving. */
  void flushHeld(String cause) {
    if (holdsReceive) {
      failHeld(Syndrome.WR_FLUSH_ERR, VendorSyndrome.FLUSHED, cause);
    }
  }

  // ---- requests that cut through

  /** How many messages that need a receive WQE can complete, if nothing else does. */
  int receivable() {
    int available = receiveQueue.available();
    return receiveQueue.isOverrun() ? 0 : Math.min(available, completions.room());
  }

  /** Completes an RDMA WRITE with immediate, which {@link #receivable} made sure of. */
  void receiveImmediate(int bytes, int immediate, boolean solicited) {
    int index = receiveQueue.pass();
    raiseLimit();
    completions.completeReceive(
        CqeOpcode.RESP_WR_IMM, number, userIndex, sender, index, bytes, immediate, solicited);
  }
}
