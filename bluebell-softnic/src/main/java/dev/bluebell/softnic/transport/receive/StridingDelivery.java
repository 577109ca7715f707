package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Completion;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.ReceiveWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.PayloadOrder;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * Delivers the arriving SEND to strides of a multi-packet receive queue: each packet takes one
 * stride and has its own completion. Owned by the thread that runs the engine.
 */
public final class StridingDelivery {
  private final Chip chip;
  private final Lifecycle life;
  private final QpIdentity self;
  private final Connection connection;
  private final IncomingMessage message;
  private final Refusal refusal;
  private final Refusals refusals;
  private final PayloadOrder order;
  private final SegmentList piece = new SegmentList();
  private final SegmentList target = new SegmentList();
  private final Fault fault = new Fault();

  private int accepted;

  // app_op of a message to a tag-matching queue; otherwise 0.
  private int tagOperation;

  /**
   * @param arrival whose refusal says why {@link #deliver} returns false; it stays clear when the
   *     completion queue is overrun, which has failed the queue pair already
   */
  public StridingDelivery(End end, Arrival arrival) {
    chip = end.chip();
    life = end.life();
    self = end.self();
    connection = end.connection();
    message = arrival.message();
    refusal = arrival.refusal();
    refusals = arrival.refusals();
    order = new PayloadOrder(chip, self.number());
  }

  /** Returns, once, how many packets of the last refused {@link #deliver} were accepted before. */
  public int takeAccepted() {
    int taken = accepted;
    accepted = 0;
    return taken;
  }

  /** Sets app_op of the completions, for a message to a tag-matching queue. */
  void mark(int operation) {
    tagOperation = operation;
  }

  /** True when there is a stride for the first packet of a request; otherwise it is refused. */
  boolean hasStride(Packet request, ReceiveSource source) {
    return hasStride(source, Math.min(1 << connection.logMtu(), request.payloadBytes));
  }

  /**
   * Delivers a packet, or a train of packets, of a SEND; false when it is refused, from the first
   * packet on that was not accepted.
   *
   * @param sender its origin, packed as {@link dev.bluebell.softnic.packet.Origin}
   */
  public boolean deliver(Packet request, ReceiveSource source, long sender) {
    boolean first = BthOpcode.isFirst(request.opcode);
    if (message.refuses(first, false)) {
      return refusals.order(request);
    }
    order.completes();
    int bytes = request.payloadBytes;
    int mtu = 1 << connection.logMtu();
    long payload = chip.staging().of(Math.max(bytes, 1));
    request.payload.copyTo(payload, bytes);
    for (int packet = 0; packet < request.packets; packet++) {
      int from = packet * mtu;
      int length = Math.min(mtu, bytes - from);
      boolean begins = first && packet == 0;
      boolean ends = BthOpcode.isLast(request.opcode) && packet == request.packets - 1;
      if (!hasStride(source, length)
          || !deliver(request, source, sender, payload + from, length, begins, ends)) {
        accepted = packet;
        return false;
      }
    }
    return true;
  }

  private boolean hasStride(ReceiveSource source, int length) {
    ReceiveQueue queue = source.queue();
    if (queue.available() == 0) {
      return refusal.refuse(Aeth.RNR_NAK, 0, "");
    }
    if (queue.isOverrun()) {
      return refusal.refuse(
          Aeth.REMOTE_OPERATION_NAK,
          0,
          "the doorbell record's receive counter of %s 0x%x claims more WQEs than the %d that the ring has"
              .formatted(source.kind(), queue.number(), queue.size()));
    }
    if (length > queue.strideBytes()) {
      return refusal.refuse(
          Aeth.INVALID_REQUEST_NAK,
          0,
          "a packet of %d bytes does not fit a stride of %s 0x%x, which has %d bytes (log_wqe_stride_size)"
              .formatted(length, source.kind(), queue.number(), queue.strideBytes()));
    }
    return true;
  }

  private boolean deliver(
      Packet request,
      ReceiveSource source,
      long sender,
      long from,
      int length,
      boolean begins,
      boolean ends) {
    ReceiveQueue queue = source.queue();
    int stride = queue.takeStride();
    ReceiveWqe wqe = queue.strides();
    if (queue.reachedLimit()) {
      chip.events().raise(HcaEvent.SRQ_LIMIT, queue.number(), 0);
    }
    if (begins) {
      message.begin(false);
    }
    if (!place(source, wqe, (long) stride * queue.strideBytes(), from, length)) {
      return false;
    }
    message.place(length);
    boolean immediate = ends && BthOpcode.hasImmediate(request.opcode);
    boolean invalidates = ends && BthOpcode.hasInvalidate(request.opcode);
    if (invalidates) {
      String why = chip.keys().invalidate(request.immediate, self.pd(), self.number());
      if (!why.isEmpty()) {
        return fail(source, wqe, Aeth.REMOTE_ACCESS_NAK, Syndrome.LOCAL_ACCESS_ERR, why);
      }
    }
    if (ends) {
      message.end();
    }
    int flags = (begins ? Cqe.STRIDE_FIRST : 0) | (ends ? Cqe.STRIDE_LAST : 0);
    int opcode = ends ? SendDelivery.completion(request.opcode) : CqeOpcode.RESP_SEND;
    int told = immediate || invalidates ? request.immediate : 0;
    boolean solicited = ends && request.solicited;
    CompletionQueue completions = source.completions();
    Completion completion =
        completions
            .next(opcode, self.number(), source.userIndex(), wqe.index())
            .sender(sender)
            .bytes(length | flags)
            .immediate(told)
            .solicited(solicited)
            .stride(stride);
    if (tagOperation != 0) {
      completion.tagged(tagOperation, 0);
    }
    if (!completions.complete(completion)) {
      life.failUnreported("its receive CQ 0x%x is overrun".formatted(completions.number()));
      return false;
    }
    return true;
  }

  private boolean place(ReceiveSource source, ReceiveWqe wqe, long skip, long from, int length) {
    if (length == 0) {
      return true;
    }
    if (skip + length > wqe.capacity()) {
      return fail(
          source,
          wqe,
          Aeth.INVALID_REQUEST_NAK,
          Syndrome.LOCAL_LENGTH_ERR,
          "a stride at byte %d of the receive WQE's scatter list ends beyond its %d bytes (its byte_counts together)"
              .formatted(skip, wqe.capacity()));
    }
    boolean allowed =
        DataSegments.collect(
            wqe.segments(),
            wqe.end(),
            skip,
            length,
            chip.keys(),
            source.queue().pd(),
            self.number(),
            MemoryKey.LOCAL_WRITE,
            target,
            fault);
    piece.clear();
    piece.add(from, length);
    if (allowed && piece.copyTo(target, length)) {
      return true;
    }
    if (allowed) {
      boolean unused = refusal.unreachable(0, target);
    } else {
      boolean unused = refusal.refuse(Aeth.REMOTE_OPERATION_NAK, 0, fault.explanation());
    }
    fault.clear();
    return fail(source, wqe, Syndrome.LOCAL_PROT_ERR);
  }

  private boolean fail(ReceiveSource source, ReceiveWqe wqe, int nak, int syndrome, String why) {
    boolean unused = refusal.refuse(nak, 0, why);
    return fail(source, wqe, syndrome);
  }

  /** Completes a receive WQE in error, with the explanation of the refusal. */
  private boolean fail(ReceiveSource source, ReceiveWqe wqe, int syndrome) {
    source.fail(
        self.number(),
        wqe.index(),
        syndrome,
        VendorSyndrome.ofReceive(syndrome, refusal.code()),
        refusal.explanation());
    return false;
  }
}
