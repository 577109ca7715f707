package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.InlineData;
import dev.bluebell.softnic.queue.ReceiveWqe;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * Delivers the arriving SEND to the buffers of a receive WQE, and completes the WQE. Owned by the
 * thread that runs the engine.
 */
public final class SendDelivery {
  private final KeyTable keys;
  private final Staging staging;
  private final QpIdentity self;
  private final IncomingMessage message;
  private final HeldReceive held;
  private final Refusal refusal;
  private final Refusals refusals;
  private final SegmentList target = new SegmentList();
  private final Fault fault = new Fault();
  private final InlineData inline = new InlineData();
  private int room;

  /**
   * @param arrival whose refusal says why {@link #deliver} returns false; it stays clear when the
   *     completion queue is overrun, which has failed the queue pair already
   */
  public SendDelivery(Chip chip, QpIdentity self, Arrival arrival) {
    keys = chip.keys();
    staging = chip.staging();
    this.self = self;
    message = arrival.message();
    held = arrival.held();
    refusal = arrival.refusal();
    refusals = arrival.refusals();
  }

  /** Sets which messages go into their CQEs: cs_res of the context. */
  public void putDataInCqes(int csRes) {
    inline.ofResponder(csRes);
  }

  /** Reserves the first bytes of the receive, unchanged, in all later messages. */
  public void leaveRoom(int bytes) {
    room = bytes;
  }

  /** Messages of up to so many bytes go into their CQEs; 0 when none do. */
  public int inlineBytes() {
    return inline.limit();
  }

  /**
   * Delivers a piece of a SEND; false when it is refused.
   *
   * <p>This is one method on purpose, with more bytecode than the JIT inlines into callers, so it
   * is compiled separately. Requester, fabric and receiver in one compilation unit have more memory
   * accesses than the JIT folds, and SENDs take twice as long.
   *
   * @param source the receive queue of the message, if this piece starts it
   * @param sender its origin, packed as {@link dev.bluebell.softnic.packet.Origin}
   * @param pkey imm_inval_pkey of the completion of a message without immediate
   */
  public boolean deliver(Packet request, ReceiveSource source, long sender, int pkey) {
    if (request.payloadBytes <= inline.limit() && isWhole(request)) {
      return deliverInline(request, source, sender, pkey);
    }
    int opcode = request.opcode;
    boolean first = BthOpcode.isFirst(opcode);
    boolean last = BthOpcode.isLast(opcode);
    if (message.refuses(first, false)) {
      return refusals.order(request);
    }
    if (first) {
      if (!held.take(source, refusal)) {
        return false;
      }
      message.begin(false);
      message.place(room);
    }
    ReceiveWqe receive = held.wqe();
    int bytes = request.payloadBytes;
    long placed = message.placed();
    if (placed + bytes > receive.capacity()) {
      return tooLong(last, placed + bytes, receive.capacity());
    }
    if (bytes > 0) {
      if (!DataSegments.collect(
          receive.segments(),
          receive.end(),
          placed,
          bytes,
          keys,
          held.pd(),
          self.number(),
          MemoryKey.LOCAL_WRITE,
          target,
          fault)) {
        String why = fault.explanation();
        fault.clear();
        return refusal.refuse(Aeth.REMOTE_OPERATION_NAK, Syndrome.LOCAL_PROT_ERR, why);
      }
      if (!request.payload.copyTo(target, bytes)) {
        return refusal.unreachable(Syndrome.LOCAL_PROT_ERR, target);
      }
      message.place(bytes);
    }
    if (!last) {
      return true;
    }
    if (BthOpcode.hasInvalidate(opcode) && !refusals.invalidate(request.immediate, message.pd())) {
      return false;
    }
    message.end();
    boolean plain = !BthOpcode.hasImmediate(opcode) && !BthOpcode.hasInvalidate(opcode);
    return held.finish(
        completion(opcode),
        sender,
        (int) (placed + bytes),
        plain ? pkey : request.immediate,
        request.solicited);
  }

  /** Opcode of the completion of a SEND. */
  public static int completion(int opcode) {
    if (BthOpcode.hasInvalidate(opcode)) {
      return CqeOpcode.RESP_SEND_INV;
    }
    return BthOpcode.hasImmediate(opcode) ? CqeOpcode.RESP_SEND_IMM : CqeOpcode.RESP_SEND;
  }

  private boolean tooLong(boolean last, long bytes, long capacity) {
    return refusal.refuse(
        Aeth.INVALID_REQUEST_NAK,
        Syndrome.LOCAL_LENGTH_ERR,
        "a message of %s%d bytes (its byte_counts together) does not fit the %d bytes of the receive WQE's scatter list"
            .formatted(last ? "" : "at least ", bytes, capacity));
  }

  /** True for a SEND in one packet that is not empty. */
  private static boolean isWhole(Packet request) {
    return request.payloadBytes > 0
        && BthOpcode.isFirst(request.opcode)
        && BthOpcode.isLast(request.opcode);
  }

  /** Delivers a SEND into its CQE: consumes the receive WQE without touching its buffers. */
  private boolean deliverInline(Packet request, ReceiveSource source, long sender, int pkey) {
    int opcode = request.opcode;
    if (message.isArriving()) {
      return refusals.order(request);
    }
    if (!held.take(source, refusal)) {
      return false;
    }
    int bytes = request.payloadBytes;
    if (bytes > held.wqe().capacity()) {
      return tooLong(true, bytes, held.wqe().capacity());
    }
    if (BthOpcode.hasInvalidate(opcode) && !refusals.invalidate(request.immediate, self.pd())) {
      return false;
    }
    long data = staging.of(InlineData.BYTES);
    InlineData.put(request.payload, bytes, data);
    boolean plain = !BthOpcode.hasImmediate(opcode) && !BthOpcode.hasInvalidate(opcode);
    return held.finish(
        completion(opcode),
        sender,
        bytes,
        plain ? pkey : request.immediate,
        request.solicited,
        data,
        inline.format());
  }
}
