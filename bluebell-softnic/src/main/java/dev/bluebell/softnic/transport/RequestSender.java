package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.WqeForm;
import org.jspecify.annotations.Nullable;

/**
 * Turns the outstanding work requests of a queue pair into requests on the fabric, in order and in
 * pieces, and steps back when some must be sent again. Owned by whoever runs the engine.
 */
final class RequestSender {
  /** What {@link #send} returns when the entry must wait. */
  static final long WAIT = -1;

  /** What {@link #send} returns when the entry can't be sent, and the fault says why. */
  static final long REFUSED = -2;

  private final QueuePair queuePair;
  private final SendQueue sendQueue;
  private final Outstanding outstanding;
  private final Gather gather;
  private final Link link;
  private final Request request = new Request();

  // The entry being sent, and how many bytes of it were.
  private int cursor;
  private long sent;

  private int sentPsn;

  // READs and atomics on their way, which maxReads limits.
  private int reads;
  private int maxReads;

  private int logMtu;
  private int burst;
  private boolean reachable;
  private String lastDrop = "";

  /**
   * @param fault where {@link #send} says why an entry can't be sent
   */
  RequestSender(QueuePair queuePair, Outstanding outstanding, Fault fault) {
    this.queuePair = queuePair;
    this.outstanding = outstanding;
    sendQueue = queuePair.sendQueue();
    gather = new Gather(queuePair, fault);
    link = queuePair.link();
  }

  void reset() {
    cursor = outstanding.head();
    sent = 0;
    reads = 0;
    lastDrop = "";
  }

  /** Takes the attributes that the transition to RTS sets. */
  void start(View qpc) {
    sentPsn = qpc.getInt(Qpc.NEXT_SEND_PSN);
    maxReads = 1 << Math.min(qpc.getInt(Qpc.LOG_SRA_MAX), 4);
    logMtu = queuePair.logMtu();
    burst = link.burstBytes(logMtu);
    reachable = link.reaches(queuePair.remoteGid());
    request.sourceQpn = queuePair.number();
    request.sourceGidHigh = queuePair.localGid().high();
    request.sourceGidLow = queuePair.localGid().low();
    request.destinationQpn = queuePair.remoteQpn();
  }

  /** The entry to be sent next, or to be sent on. */
  int cursor() {
    return cursor;
  }

  /** PSN behind the newest that was sent. */
  int sentPsn() {
    return sentPsn;
  }

  /** Takes note of requests that reached the peer otherwise. */
  void passed(int nextPsn) {
    sentPsn = nextPsn;
  }

  /** Payload bytes that one request carries at most. */
  int burst() {
    return burst;
  }

  /** The responder that requests reach at once and that waits for this PSN; null when none does. */
  @Nullable Responder awaiting(int psn) {
    Responder peer = reachable ? link.direct(request.destinationQpn) : null;
    return peer != null && peer.awaits(request, psn) ? peer : null;
  }

  /** Says why a request was dropped on its way. */
  void noteDrop(String why) {
    lastDrop = why;
  }

  /** Why a request was dropped last; empty when none was. */
  String lastDrop() {
    return lastDrop;
  }

  /** Takes note of the answer of a READ or atomic. */
  void noteAnswer(int entry) {
    // After a step back the answer may come before the request is on its way again.
    if (entry - cursor < 0) {
      reads--;
    }
  }

  /** Takes note that the oldest entry is gone. */
  void noteRetired() {
    if (cursor - outstanding.head() < 0) {
      cursor = outstanding.head();
      sent = 0;
    }
  }

  /**
   * Sends the entry at the cursor, or as much of it as the budget allows; bytes moved, {@link
   * #WAIT} or {@link #REFUSED}.
   *
   * @param allAcknowledged true when everything sent so far is acknowledged
   */
  long send(long budget, boolean allAcknowledged) {
    int entry = cursor;
    int control = outstanding.control(entry);
    if (sent == 0 && mustWait(control, allAcknowledged)) {
      return WAIT;
    }
    int opcode = outstanding.opcode(entry);
    switch (opcode) {
      case WqeOpcode.NOP -> {
        cursor++;
        return 0;
      }
      case WqeOpcode.RDMA_READ -> {
        return sendRead(entry);
      }
      case WqeOpcode.ATOMIC_CS, WqeOpcode.ATOMIC_FA -> {
        return sendAtomic(entry, opcode);
      }
      default -> {
        return sendMessage(entry, opcode, control, budget);
      }
    }
  }

  private boolean mustWait(int control, boolean allAcknowledged) {
    int fence = control & ControlSegment.FENCE_MASK;
    if (fence == ControlSegment.FENCE_STRONG) {
      return !allAcknowledged;
    }
    return reads > 0 && fence >= ControlSegment.FENCE;
  }

  private long sendMessage(int entry, int opcode, int control, long budget) {
    long at = sendQueue.snapshot(outstanding.wqeIndex(entry));
    long total = outstanding.bytes(entry);
    request.opcode = opcode;
    request.immediate = ControlSegment.immediate(Memory.getLong(at + 8));
    request.solicited = (control & ControlSegment.SOLICITED) != 0;
    request.length = total;
    if (WqeForm.fixedBytes(opcode) != ControlSegment.BYTES) {
      request.address = Memory.getLong(at + 16);
      request.rkey = RemoteAddressSegment.rkey(Memory.getLong(at + 24));
    }
    long list = at + WqeForm.fixedBytes(opcode);
    long end = at + outstanding.wqeBytes(entry);
    if (sent == 0 && total <= burst) {
      return sendPiece(entry, list, end, (int) total, total) ? total : REFUSED;
    }
    return sendPieces(entry, list, end, total, budget);
  }

  private long sendPieces(int entry, long list, long end, long total, long budget) {
    long moved = 0;
    do {
      int bytes = (int) Math.min(total - sent, burst);
      if (!sendPiece(entry, list, end, bytes, total)) {
        return REFUSED;
      }
      moved += bytes;
    } while (!request.last && moved < budget && queuePair.state() == QpState.RTS);
    return moved;
  }

  /** Sends the next {@code bytes} of the message; false when a data segment refuses. */
  private boolean sendPiece(int entry, long list, long end, int bytes, long total) {
    if (!gather.collect(list, end, sent, bytes, request)) {
      return false;
    }
    long before = sent;
    boolean last = before + bytes == total;
    request.first = before == 0;
    request.last = last;
    request.acknowledge = last;
    sent = last ? 0 : before + bytes;
    cursor = last ? entry + 1 : entry;
    deliver(
        Psn.add(outstanding.firstPsn(entry), (int) (before >>> logMtu)),
        Psn.packets(bytes, logMtu));
    return true;
  }

  private long sendRead(int entry) {
    if (reads == maxReads) {
      return WAIT;
    }
    long at = sendQueue.snapshot(outstanding.wqeIndex(entry));
    request.opcode = WqeOpcode.RDMA_READ;
    request.address = Memory.getLong(at + 16) + sent;
    request.rkey = RemoteAddressSegment.rkey(Memory.getLong(at + 24));
    request.length = outstanding.bytes(entry) - sent;
    sendFetching(
        Psn.add(outstanding.firstPsn(entry), (int) (sent >>> logMtu)),
        Psn.packets(request.length, logMtu));
    return 0;
  }

  private long sendAtomic(int entry, int opcode) {
    if (reads == maxReads) {
      return WAIT;
    }
    long at = sendQueue.snapshot(outstanding.wqeIndex(entry));
    request.opcode = opcode;
    request.address = Memory.getLong(at + 16);
    request.rkey = RemoteAddressSegment.rkey(Memory.getLong(at + 24));
    request.length = AtomicSegment.OPERAND_BYTES;
    request.swapAdd = Memory.getLong(at + 32);
    request.compare = Memory.getLong(at + 40);
    sendFetching(outstanding.firstPsn(entry), 1);
    return 0;
  }

  private void sendFetching(int psn, int packets) {
    request.first = true;
    request.last = true;
    request.acknowledge = true;
    request.solicited = false;
    request.payload.clear();
    request.payloadBytes = 0;
    reads++;
    cursor++;
    sent = 0;
    deliver(psn, packets);
  }

  private void deliver(int psn, int packets) {
    request.psn = psn;
    request.packets = packets;
    int end = Psn.add(psn, packets);
    if (Psn.distance(sentPsn, end) > 0) {
      sentPsn = end;
    }
    if (reachable) {
      link.send(request);
    } else {
      noteDrop(queuePair.whyUnreachable());
    }
  }

  /** Makes the request that holds {@code psn} the next to be sent, from that PSN on. */
  void rewind(int psn, int unacked) {
    int entry = outstanding.head();
    int fetching = 0;
    while (entry != cursor && Psn.distance(outstanding.endPsn(entry), psn) >= 0) {
      if (outstanding.isUnanswered(entry, unacked)) {
        fetching++;
      }
      entry++;
    }
    if (entry != cursor || sent > 0) {
      cursor = entry;
      sent = (long) Psn.distance(outstanding.firstPsn(entry), psn) << logMtu;
      reads = fetching;
    }
  }
}
