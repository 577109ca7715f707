package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * Writes the arriving RDMA WRITE to the memory that its key names, and completes a receive WQE when
 * it has an immediate. Owned by the thread that runs the engine.
 */
public final class WriteDelivery {
  private final KeyTable keys;
  private final int number;
  private final IncomingMessage message;
  private final HeldReceive held;
  private final Refusal refusal;
  private final Refusals refusals;
  private final SegmentList target = new SegmentList();

  private boolean allowed;

  // Of the arriving message.
  private long address;
  private int rkey;
  private long length;

  /**
   * @param arrival whose refusal says why {@link #deliver} returns false; it stays clear when the
   *     completion queue is overrun, which has failed the queue pair already
   */
  public WriteDelivery(Chip chip, QpIdentity self, Arrival arrival) {
    keys = chip.keys();
    number = self.number();
    message = arrival.message();
    held = arrival.held();
    refusal = arrival.refusal();
    refusals = arrival.refusals();
  }

  /**
   * Sets whether RDMA WRITEs are allowed.
   *
   * @param rwe of the context
   */
  public void allow(boolean rwe) {
    allowed = rwe;
  }

  /**
   * Delivers a piece of an RDMA WRITE; false when it is refused.
   *
   * @param source the receive queue of the message, if it has an immediate
   * @param sender its origin, packed as {@link dev.bluebell.softnic.packet.Origin}
   */
  public boolean deliver(Packet request, ReceiveSource source, long sender) {
    int opcode = request.opcode;
    boolean first = BthOpcode.isFirst(opcode);
    boolean last = BthOpcode.isLast(opcode);
    if (message.refuses(first, true)) {
      return refusals.order(request);
    }
    boolean completes = BthOpcode.hasImmediate(opcode);
    if (!allowed) {
      return refusals.right(request, "rwe", "IBV_ACCESS_REMOTE_WRITE");
    }
    if (completes && !held.take(source, refusal)) {
      return false;
    }
    if (first && last) {
      return writeWhole(request, completes, sender);
    }
    if (first) {
      message.begin(true);
      address = request.address;
      rkey = request.rkey;
      length = request.length;
      if (!keys.allows(rkey, address, length, message.pd(), number, MemoryKey.REMOTE_WRITE)) {
        return refusals.key(rkey, MemoryKey.REMOTE_WRITE, address, length);
      }
    }
    long placed = message.placed();
    long end = placed + request.payloadBytes;
    if (last ? end != length : end > length) {
      return refusals.length(end, length);
    }
    if (!write(request, address + placed, rkey)) {
      return false;
    }
    message.place(request.payloadBytes);
    if (last) {
      message.end();
    }
    return !completes || finish(sender, (int) length, request);
  }

  private boolean writeWhole(Packet request, boolean completes, long sender) {
    int bytes = request.payloadBytes;
    if (bytes != request.length) {
      return refusals.length(bytes, request.length);
    }
    return write(request, request.address, request.rkey)
        && (!completes || finish(sender, bytes, request));
  }

  private boolean finish(long sender, int bytes, Packet request) {
    return held.finish(CqeOpcode.RESP_WR_IMM, sender, bytes, request.immediate, request.solicited);
  }

  /** Writes the payload of one request to an address of a key. An empty payload needs no key. */
  private boolean write(Packet request, long at, int key) {
    int bytes = request.payloadBytes;
    if (bytes > 0) {
      long to = keys.translate(key, at, bytes, message.pd(), MemoryKey.REMOTE_WRITE);
      if (to == KeyTable.REFUSED) {
        return writeResolved(request, at, key);
      }
      request.payload.copyTo(to, bytes);
    }
    return true;
  }

  private boolean writeResolved(Packet request, long at, int key) {
    int bytes = request.payloadBytes;
    target.clear();
    if (!keys.resolve(key, at, bytes, message.pd(), number, MemoryKey.REMOTE_WRITE, target)) {
      return refusals.key(key, MemoryKey.REMOTE_WRITE, at, bytes);
    }
    return request.payload.copyTo(target, bytes) || refusals.unreachable(key, target);
  }
}
