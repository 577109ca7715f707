package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.text.WqeText;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeForm;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * The requester of a reliable connection: turns WQEs into requests, keeps them until they are
 * acknowledged, sends again what was lost, and maps what comes back to completions. Pure logic on
 * the device's cached clock. Owned by whoever runs the engine.
 */
public final class Requester {
  /** Messages and bytes of one turn, so that one queue cannot starve the others. */
  private static final int MESSAGES_PER_TURN = 64;

  private static final long BYTES_PER_TURN = 256 << 10;

  private static final int RETRY_FOREVER = 7;

  private final QueuePair queuePair;
  private final Chip chip;
  private final SendQueue sendQueue;
  private final Outstanding outstanding = new Outstanding();
  private final Request request = new Request();
  private final SegmentList landing = new SegmentList();
  private final CutThrough cutThrough;

  // The one request that can't be executed: everything before it still completes, nothing behind it
  // starts.
  private final Fault fault = new Fault();
  private int faultEntry;

  // The entry being sent, and how many bytes of it were.
  private int cursor;
  private long sent;

  private int nextPsn;
  private int sentPsn;
  private int unacked;
  private int reads;
  private int maxReads;

  // READs and atomics on their way, which maxReads limits; and all that are not answered, which are
  // more after a step back.
  private int unanswered;
  private boolean askedAgain;

  private int retryCount;
  private int retriesLeft;
  private int rnrRetry;
  private int rnrRetriesLeft;
  private long timeout;
  private long ackDeadline = Long.MAX_VALUE;
  private long resumeAt = Long.MAX_VALUE;
  private boolean paused;
  private String lastDrop = "";

  // Attributes of the connection, held here because every message needs them.
  private final int number;
  private final int pd;
  private final KeyTable keys;
  private final FlightRecorder recorder;
  private final Link link;
  private int logMtu;
  private int burst;
  private boolean reachable;

  Requester(QueuePair queuePair) {
    this.queuePair = queuePair;
    chip = queuePair.chip();
    sendQueue = queuePair.sendQueue();
    number = queuePair.number();
    pd = queuePair.pd();
    keys = chip.keys();
    recorder = chip.recorder();
    link = queuePair.link();
    cutThrough = new CutThrough(queuePair);
  }

  /** PSN of the next new request. */
  public int nextPsn() {
    return nextPsn;
  }

  void reset() {
    outstanding.clear();
    cursor = outstanding.head();
    sent = 0;
    reads = 0;
    unanswered = 0;
    askedAgain = false;
    fault.clear();
    paused = false;
    ackDeadline = Long.MAX_VALUE;
    resumeAt = Long.MAX_VALUE;
    lastDrop = "";
  }

  /** Takes the attributes that the transition to RTS sets. */
  void start(View qpc, int timeoutCode) {
    nextPsn = qpc.getInt(Qpc.NEXT_SEND_PSN);
    sentPsn = nextPsn;
    unacked = nextPsn;
    maxReads = 1 << Math.min(qpc.getInt(Qpc.LOG_SRA_MAX), 4);
    retryCount = qpc.getInt(Qpc.RETRY_COUNT);
    retriesLeft = retryCount;
    rnrRetry = qpc.getInt(Qpc.RNR_RETRY);
    rnrRetriesLeft = rnrRetry;
    timeout = Nak.timeoutNanos(timeoutCode);
    logMtu = queuePair.logMtu();
    burst = link.burstBytes(logMtu);
    reachable = link.reaches(queuePair.remoteGid());
    request.sourceQpn = number;
    request.sourceGidHigh = queuePair.localGid().high();
    request.sourceGidLow = queuePair.localGid().low();
    request.destinationQpn = queuePair.remoteQpn();
  }

  /** Sends what one turn allows; 0 when there is nothing to send or something to wait for. */
  int work() {
    if (paused) {
      return 0;
    }
    int messages = cutThrough();
    long bytes = BYTES_PER_TURN;
    while (messages < MESSAGES_PER_TURN && bytes > 0 && queuePair.state() == QpState.RTS) {
      if (cursor == outstanding.tail() && !admit() || fault.isSet() && cursor == faultEntry) {
        break;
      }
      long moved = send(bytes);
      if (moved < 0) {
        break;
      }
      bytes -= moved;
      messages++;
    }
    int before = outstanding.head();
    retire();
    if (sentPsn != unacked && timeout != 0 && ackDeadline == Long.MAX_VALUE) {
      ackDeadline = chip.time().now() + timeout;
      queuePair.scheduler().schedule(queuePair);
    }
    return messages + outstanding.head() - before;
  }

  /** Executes what needs no request on its way; how many messages. */
  private int cutThrough() {
    if (!outstanding.isEmpty()
        || fault.isSet()
        || recorder.isTracing()
        || !reachable
        || queuePair.state() != QpState.RTS) {
      return 0;
    }
    Responder peer = link.direct(request.destinationQpn);
    if (peer == null || !peer.awaits(request, nextPsn)) {
      return 0;
    }
    boolean hasRoom =
        cutThrough.run(peer, nextPsn, logMtu, burst, MESSAGES_PER_TURN, BYTES_PER_TURN);
    if (cutThrough.messages() > 0) {
      nextPsn = cutThrough.nextPsn();
      sentPsn = nextPsn;
      peer.passed(cutThrough.messages(), nextPsn);
      recorder.record(Happening.ACKNOWLEDGED, number, 0, Psn.add(nextPsn, -1));
      progress(nextPsn);
    }
    if (!hasRoom) {
      failAtOverrun();
    }
    return cutThrough.messages();
  }

  private void failAtOverrun() {
    queuePair.failUnreported(
        "its send CQ 0x%x is overrun".formatted(queuePair.sendCompletions().number()));
  }

  // ---- from the ring to an entry

  /** Fetches the next WQE and checks its form; false when there is none that can be sent. */
  private boolean admit() {
    if (fault.isSet()) {
      return false;
    }
    int index = sendQueue.nextIndex();
    switch (sendQueue.fetch(fault)) {
      case NOTHING -> {
        return false;
      }
      case FAULT -> {
        faultEntry = outstanding.tail();
        outstanding.push(index, 0, 0, 0, nextPsn, nextPsn, 0);
        return false;
      }
      case WQE -> {}
    }
    long at = sendQueue.snapshot(index);
    long first = Memory.getLong(at);
    int opcode = ControlSegment.opcode(first);
    int ds = ControlSegment.ds(first);
    int control = ControlSegment.fmCeSe(Memory.getLong(at + 8));
    if (recorder.isTracing()) {
      trace(index, opcode, ds);
    } else {
      recorder.record(Happening.FETCHED, number, index, opcode);
    }
    long length = WqeForm.messageLength(at, first, control, fault);
    int packets = packets(opcode, length);
    int end = Psn.add(nextPsn, packets);
    if (fault.isSet()) {
      faultEntry = outstanding.tail();
      end = nextPsn;
    } else if (WqeForm.fetches(opcode)) {
      unanswered++;
    }
    outstanding.push(index, opcode, control, ds, nextPsn, end, (int) length);
    nextPsn = end;
    return !fault.isSet();
  }

  private int packets(int opcode, long length) {
    return switch (opcode) {
      case WqeOpcode.NOP -> 0;
      case WqeOpcode.ATOMIC_CS, WqeOpcode.ATOMIC_FA -> 1;
      default -> Psn.packets(length, logMtu);
    };
  }

  // ---- from an entry to requests

  /**
   * Sends the entry at the cursor, or as much of it as the budget allows; bytes moved, or −1 when
   * it must wait or can't be sent.
   */
  private long send(long budget) {
    int entry = cursor;
    int control = outstanding.control(entry);
    if (sent == 0 && mustWait(control)) {
      return -1;
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

  private boolean mustWait(int control) {
    int fence = control & ControlSegment.FENCE_MASK;
    if (fence == ControlSegment.FENCE_STRONG) {
      return sentPsn != unacked;
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
      return sendPiece(entry, list, end, (int) total, total) ? total : -1;
    }
    return sendPieces(entry, list, end, total, budget);
  }

  private long sendPieces(int entry, long list, long end, long total, long budget) {
    long moved = 0;
    do {
      int bytes = (int) Math.min(total - sent, burst);
      if (!sendPiece(entry, list, end, bytes, total)) {
        return -1;
      }
      moved += bytes;
    } while (!request.last && moved < budget && queuePair.state() == QpState.RTS);
    return moved;
  }

  /** Sends the next {@code bytes} of the message; false when a data segment refuses. */
  private boolean sendPiece(int entry, long list, long end, int bytes, long total) {
    if (!DataSegments.collect(
        list, end, sent, bytes, keys, pd, MemoryKey.LOCAL_READ, request.payload, fault)) {
      faultEntry = entry;
      return false;
    }
    long before = sent;
    boolean last = before + bytes == total;
    request.first = before == 0;
    request.last = last;
    request.acknowledge = last;
    request.payloadBytes = bytes;
    sent = last ? 0 : before + bytes;
    cursor = last ? entry + 1 : entry;
    deliver(
        Psn.add(outstanding.firstPsn(entry), (int) (before >>> logMtu)),
        Psn.packets(bytes, logMtu));
    return true;
  }

  private long sendRead(int entry) {
    if (reads == maxReads) {
      return -1;
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
      return -1;
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
      noteUnreachable();
    }
  }

  private void noteUnreachable() {
    noteDrop(
        "no port of this device reaches the destination GID %s (rgid of its address path)"
            .formatted(queuePair.remoteGid()));
  }

  /**
   * Says why a request of this queue pair was dropped on its way; told when the retries are used
   * up.
   */
  public void noteDrop(String why) {
    lastDrop = why;
  }

  // ---- from responses to completions

  /** Takes a response off the fabric. */
  public void receive(Response response) {
    if (queuePair.state() != QpState.RTS || response.sourceQpn != queuePair.remoteQpn()) {
      recorder.record(Happening.DROPPED, number, 0, response.psn);
      return;
    }
    // Never sent, or known already: a late or forged response changes nothing.
    if (Psn.distance(response.psn, sentPsn) <= 0 || Psn.distance(unacked, response.psn) < 0) {
      recorder.record(Happening.DROPPED, number, 0, response.psn);
      return;
    }
    switch (response.kind) {
      case ACKNOWLEDGE -> {
        recorder.record(Happening.ACKNOWLEDGED, number, 0, response.psn);
        acknowledgeBefore(Psn.add(response.psn, 1));
      }
      case READ -> receiveRead(response);
      case ATOMIC -> receiveAtomic(response);
      case NAK -> receiveNak(response);
      case RECEIVER_NOT_READY -> receiveRnr(response);
    }
    retire();
    queuePair.scheduler().activate(queuePair);
  }

  /**
   * Everything before {@code psn} is acknowledged, unless an unanswered READ or atomic lies there;
   * false in that case, and it is sent again.
   */
  private boolean acknowledgeBefore(int psn) {
    int oldest = oldestUnansweredRead();
    if (oldest != outstanding.tail()) {
      int awaited = awaitedPsn(oldest);
      if (Psn.distance(awaited, psn) > 0) {
        askAgain(awaited);
        return false;
      }
    }
    progress(psn);
    return true;
  }

  private int oldestUnansweredRead() {
    int entry = outstanding.head();
    if (unanswered == 0) {
      return outstanding.tail();
    }
    while (entry != outstanding.tail() && !isUnansweredRead(entry)) {
      entry++;
    }
    return entry;
  }

  /** PSN of the next response of a READ or atomic. */
  private int awaitedPsn(int entry) {
    int begin = outstanding.firstPsn(entry);
    return Psn.distance(begin, unacked) > 0 ? unacked : begin;
  }

  private boolean isUnansweredRead(int entry) {
    return WqeForm.fetches(outstanding.opcode(entry))
        && Psn.distance(unacked, outstanding.endPsn(entry)) > 0;
  }

  private void progress(int psn) {
    if (psn == unacked) {
      return;
    }
    unacked = psn;
    askedAgain = false;
    boolean wasOff = ackDeadline == Long.MAX_VALUE;
    retriesLeft = retryCount;
    rnrRetriesLeft = rnrRetry;
    ackDeadline = unacked == sentPsn || timeout == 0 ? Long.MAX_VALUE : chip.time().now() + timeout;
    if (wasOff && ackDeadline != Long.MAX_VALUE) {
      queuePair.scheduler().schedule(queuePair);
    }
  }

  /**
   * True when the response is the one that is awaited next; otherwise it was dropped, or what is
   * missing is asked for again.
   */
  private boolean isAwaited(Response response, boolean read) {
    int asked = outstanding.head();
    while (asked != outstanding.tail()
        && Psn.distance(outstanding.endPsn(asked), response.psn) >= 0) {
      asked++;
    }
    int opcode = asked == outstanding.tail() ? WqeOpcode.NOP : outstanding.opcode(asked);
    if (!WqeForm.fetches(opcode) || read != (opcode == WqeOpcode.RDMA_READ)) {
      badResponse(
          response,
          read
              ? "READ data came, but no READ is waiting for it"
              : "the result of an atomic came, but no atomic is waiting for it");
      return false;
    }
    int awaited = awaitedPsn(oldestUnansweredRead());
    int ahead = Psn.distance(awaited, response.psn);
    if (ahead > 0) {
      askAgain(awaited);
    }
    return ahead == 0;
  }

  /**
   * A later response tells that the one at {@code awaited} is missing. All that follow tell the
   * same, and count once.
   */
  private void askAgain(int awaited) {
    progress(awaited);
    if (!askedAgain) {
      askedAgain = true;
      retry(awaited, "a later response came before the answer of a READ or atomic");
    }
  }

  private void receiveRead(Response response) {
    if (!isAwaited(response, true)) {
      return;
    }
    int entry = oldestUnansweredRead();
    int begin = outstanding.firstPsn(entry);
    int expected = awaitedPsn(entry);
    long arrived = (long) Psn.distance(begin, expected) << logMtu;
    long left = outstanding.bytes(entry) - arrived;
    int end = Psn.add(expected, response.packets);
    boolean last = end == outstanding.endPsn(entry);
    if (last
        ? response.payloadBytes != left
        : response.payloadBytes != (long) response.packets << logMtu
            || response.payloadBytes > left) {
      fault.set(
          Syndrome.LOCAL_LENGTH_ERR,
          VendorSyndrome.UNKNOWN,
          "a READ response carries %d bytes in %d packets where %d are left at a path MTU of %d; both ends must have the same mtu"
              .formatted(response.payloadBytes, response.packets, left, 1 << logMtu));
      faultEntry = entry;
      progress(expected);
      return;
    }
    if (!land(entry, arrived, response.payloadBytes)) {
      return;
    }
    response.payload.copyTo(landing, response.payloadBytes);
    if (last) {
      noteAnswer(entry);
    }
    progress(end);
  }

  private void receiveAtomic(Response response) {
    if (!isAwaited(response, false)) {
      return;
    }
    int entry = oldestUnansweredRead();
    if (!land(entry, 0, AtomicSegment.OPERAND_BYTES)) {
      return;
    }
    Memory.putNativeLong(landing.onlyAddress(), response.original);
    noteAnswer(entry);
    progress(outstanding.endPsn(entry));
  }

  private void noteAnswer(int entry) {
    unanswered--;
    // After a step back the answer may come before the request is on its way again.
    if (entry - cursor < 0) {
      reads--;
    }
  }

  /**
   * Translates where answered bytes go; false when the landing buffer refuses, and the request has
   * failed.
   */
  private boolean land(int entry, long skip, int bytes) {
    long at = sendQueue.snapshot(outstanding.wqeIndex(entry));
    long end = at + outstanding.wqeBytes(entry);
    if (DataSegments.collect(
        at + WqeForm.fixedBytes(outstanding.opcode(entry)),
        end,
        skip,
        bytes,
        keys,
        pd,
        MemoryKey.LOCAL_WRITE,
        landing,
        fault)) {
      return true;
    }
    progress(awaitedPsn(entry));
    faultEntry = entry;
    return false;
  }

  private void badResponse(Response response, String explanation) {
    recorder.record(Happening.DROPPED, number, 0, response.psn);
    if (!outstanding.isEmpty()) {
      failOldest(Syndrome.BAD_RESP_ERR, VendorSyndrome.UNKNOWN, explanation);
    }
  }

  private void receiveNak(Response response) {
    recorder.record(Happening.REFUSED, number, 0, response.code);
    if (!acknowledgeBefore(response.psn)) {
      return;
    }
    if (response.code == Nak.PSN_SEQUENCE) {
      retry(response.psn, "the responder missed PSN %d".formatted(response.psn));
      return;
    }
    retire();
    String explanation =
        "the responder refused it: "
            + (response.explanation.isEmpty()
                ? "NAK 0x%02x".formatted(response.code)
                : response.explanation);
    switch (response.code) {
      case Nak.INVALID_REQUEST ->
          failOldest(
              Syndrome.REMOTE_INVAL_REQ_ERR, VendorSyndrome.REMOTE_INVALID_REQUEST, explanation);
      case Nak.REMOTE_ACCESS ->
          failOldest(Syndrome.REMOTE_ACCESS_ERR, VendorSyndrome.REMOTE_ACCESS, explanation);
      case Nak.REMOTE_OPERATION ->
          failOldest(Syndrome.REMOTE_OP_ERR, VendorSyndrome.UNKNOWN, explanation);
      default ->
          failOldest(
              Syndrome.BAD_RESP_ERR,
              VendorSyndrome.UNKNOWN,
              "the responder answered with the unknown NAK code 0x%02x".formatted(response.code));
    }
  }

  private void receiveRnr(Response response) {
    recorder.record(Happening.RECEIVER_NOT_READY, number, 0, response.code);
    // Reaching the same request again is no progress: only an acknowledgement restores the retries.
    if (response.psn != unacked && !acknowledgeBefore(response.psn)) {
      return;
    }
    retire();
    if (rnrRetry != RETRY_FOREVER && rnrRetriesLeft-- == 0) {
      failOldest(
          Syndrome.RNR_RETRY_EXC_ERR,
          VendorSyndrome.UNKNOWN,
          "the receiver had no receive WQE posted, each of the %d times that it was sent (rnr_retry %d): %s"
              .formatted(rnrRetry + 1, rnrRetry, response.explanation));
      return;
    }
    rewind(response.psn);
    paused = true;
    ackDeadline = Long.MAX_VALUE;
    resumeAt = chip.time().now() + Nak.rnrNanos(response.code);
    queuePair.scheduler().schedule(queuePair);
  }

  // ---- time and retries

  long deadline() {
    return Math.min(ackDeadline, resumeAt);
  }

  void onTimer() {
    long now = chip.time().now();
    if (now >= resumeAt) {
      resumeAt = Long.MAX_VALUE;
      paused = false;
    }
    if (now >= ackDeadline) {
      ackDeadline = Long.MAX_VALUE;
      askedAgain = false;
      retry(
          unacked, "no response came within the ACK timeout of %,d µs".formatted(timeout / 1_000));
      retire();
    }
    queuePair.scheduler().activate(queuePair);
  }

  private void retry(int psn, String why) {
    if (outstanding.isEmpty()) {
      return;
    }
    if (retriesLeft == 0) {
      retire();
      String drop = lastDrop.isEmpty() ? "" : "; its last request was dropped: " + lastDrop;
      failOldest(
          Syndrome.TRANSPORT_RETRY_EXC_ERR,
          VendorSyndrome.UNKNOWN,
          "%s, after %d retries (retry_count)%s".formatted(why, retryCount, drop));
      return;
    }
    retriesLeft--;
    recorder.record(Happening.RETRY, number, 0, psn);
    rewind(psn);
  }

  /** Makes the request that holds {@code psn} the next to be sent, from that PSN on. */
  private void rewind(int psn) {
    int entry = outstanding.head();
    int fetching = 0;
    while (entry != cursor && Psn.distance(outstanding.endPsn(entry), psn) >= 0) {
      if (isUnansweredRead(entry)) {
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

  // ---- completions

  /**
   * Completes, oldest first, what is acknowledged; then fails the request that can't be executed
   * when its turn has come.
   */
  private void retire() {
    while (!outstanding.isEmpty()) {
      int entry = outstanding.head();
      if (fault.isSet() && entry == faultEntry) {
        failOldest(fault.syndrome(), fault.vendorSyndrome(), fault.explanation());
        return;
      }
      if (Psn.distance(outstanding.endPsn(entry), unacked) < 0) {
        return;
      }
      if (!complete(entry)) {
        failAtOverrun();
        return;
      }
    }
  }

  private boolean complete(int entry) {
    int control = outstanding.control(entry);
    int opcode = outstanding.opcode(entry);
    int index = outstanding.wqeIndex(entry);
    int bytes = WqeForm.fetches(opcode) ? outstanding.bytes(entry) : 0;
    sendQueue.retire(outstanding.wqebbs(entry));
    outstanding.pop();
    if (cursor - outstanding.head() < 0) {
      cursor = outstanding.head();
      sent = 0;
    }
    return (control & ControlSegment.CE_MASK) < ControlSegment.CE_ALWAYS
        || queuePair
            .sendCompletions()
            .completeRequest(number, queuePair.userIndex(), opcode, index, bytes);
  }

  /** Completes the oldest request in error and moves the queue pair to ERR. */
  private void failOldest(int syndrome, int vendorSyndrome, String explanation) {
    if (queuePair.state() == QpState.ERR) {
      // Retiring what a response acknowledged has come to another request that failed.
      return;
    }
    int entry = outstanding.head();
    int index = outstanding.wqeIndex(entry);
    int opcode = outstanding.opcode(entry);
    int ds;
    if (wasFetched(entry)) {
      ds = outstanding.wqeBytes(entry) / ControlSegment.BYTES;
      sendQueue.retire(outstanding.wqebbs(entry));
    } else {
      long first = sendQueue.skip();
      opcode = ControlSegment.opcode(first);
      ds = ControlSegment.ds(first);
    }
    recordWqe(index, ds);
    outstanding.pop();
    fault.clear();
    String sentence =
        "QP 0x%x send WQE %d (opcode %s, ds %d): %s"
            .formatted(number, index, WqeOpcode.name(opcode), ds, explanation);
    if (queuePair
        .sendCompletions()
        .completeError(
            CqeOpcode.REQ_ERR,
            number,
            queuePair.userIndex(),
            opcode,
            index,
            syndrome,
            vendorSyndrome,
            sentence)) {
      queuePair.fail(sentence);
    } else {
      queuePair.failUnreported(sentence);
    }
  }

  // An entry without WQEBBs stands for a WQE that could not even be fetched; it is still in the
  // ring.
  private boolean wasFetched(int entry) {
    return outstanding.wqebbs(entry) != 0;
  }

  private void recordWqe(int index, int ds) {
    recorder.record(
        Happening.FAILED, number, index, 0, WqeText.disassemble(sendQueue.copy(index, ds)));
  }

  private void trace(int index, int opcode, int ds) {
    recorder.record(
        Happening.FETCHED, number, index, opcode, WqeText.disassemble(sendQueue.copy(index, ds)));
  }

  /** Completes everything that was fetched with a flush error. */
  void flushOutstanding(String cause) {
    while (!outstanding.isEmpty()) {
      int entry = outstanding.head();
      int index = outstanding.wqeIndex(entry);
      int opcode = outstanding.opcode(entry);
      int control = outstanding.control(entry);
      boolean isFetched = wasFetched(entry);
      outstanding.pop();
      if (!isFetched) {
        break;
      }
      sendQueue.retire(outstanding.wqebbs(entry));
      if (!flush(opcode, control, index, cause)) {
        break;
      }
    }
    reset();
  }

  /** Completes everything that is posted and not fetched with a flush error; how many. */
  int flushPosted(String cause) {
    int done = 0;
    while (sendQueue.pending() != 0) {
      int index = sendQueue.nextIndex();
      int control = ControlSegment.fmCeSe(sendQueue.secondWord(index));
      long first = sendQueue.skip();
      done++;
      if (!flush(ControlSegment.opcode(first), control, index, cause)) {
        break;
      }
    }
    return done;
  }

  // CE 1 asks for a CQE of the queue's first error only, which is not a flush.
  private boolean flush(int opcode, int control, int index, String cause) {
    return (control & ControlSegment.CE_MASK) == ControlSegment.CE_ON_FIRST_ERROR
        || queuePair
            .sendCompletions()
            .completeError(
                CqeOpcode.REQ_ERR,
                number,
                queuePair.userIndex(),
                opcode,
                index,
                Syndrome.WR_FLUSH_ERR,
                VendorSyndrome.FLUSHED,
                cause);
  }
}
