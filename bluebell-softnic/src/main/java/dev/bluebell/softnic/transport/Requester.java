package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
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
public final class Requester implements SendHalf {
  /** Messages and bytes of one turn, so that one queue cannot starve the others. */
  private static final int MESSAGES_PER_TURN = 64;

  private static final long BYTES_PER_TURN = 256 << 10;

  private static final int RETRY_FOREVER = 7;

  private final QueuePair queuePair;
  private final Chip chip;
  private final SendQueue sendQueue;
  private final Outstanding outstanding = new Outstanding();
  private final Fault fault = new Fault();
  private final RequestSender sender;
  private final SendCompletions completions;
  private final SegmentList landing = new SegmentList();
  private final SegmentList atomicResult = new SegmentList();
  private final CutThrough cutThrough;

  // The one request that can't be executed: everything before it still completes, nothing behind it
  // starts.
  private int faultEntry;

  private int nextPsn;
  private int unacked;

  // READs and atomics that are not answered.
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

  // Attributes of the connection, held here because every message needs them.
  private final int number;
  private final int pd;
  private final KeyTable keys;
  private final FlightRecorder recorder;
  private int logMtu;

  Requester(QueuePair queuePair) {
    this.queuePair = queuePair;
    chip = queuePair.chip();
    sendQueue = queuePair.sendQueue();
    number = queuePair.number();
    pd = queuePair.pd();
    keys = chip.keys();
    recorder = chip.recorder();
    sender = new RequestSender(queuePair, outstanding, fault);
    completions = new SendCompletions(queuePair, outstanding);
    cutThrough = new CutThrough(queuePair);
  }

  @Override
  public int nextPsn() {
    return nextPsn;
  }

  @Override
  public void reset() {
    outstanding.clear();
    sender.reset();
    unanswered = 0;
    askedAgain = false;
    fault.clear();
    paused = false;
    ackDeadline = Long.MAX_VALUE;
    resumeAt = Long.MAX_VALUE;
  }

  @Override
  public void start(View qpc, int timeoutCode) {
    nextPsn = qpc.getInt(Qpc.NEXT_SEND_PSN);
    unacked = nextPsn;
    retryCount = qpc.getInt(Qpc.RETRY_COUNT);
    retriesLeft = retryCount;
    rnrRetry = qpc.getInt(Qpc.RNR_RETRY);
    rnrRetriesLeft = rnrRetry;
    timeout = Nak.timeoutNanos(timeoutCode);
    logMtu = queuePair.logMtu();
    sender.start(qpc);
  }

  @Override
  public int work() {
    if (paused) {
      return 0;
    }
    int messages = cutThrough();
    long bytes = BYTES_PER_TURN;
    while (messages < MESSAGES_PER_TURN && bytes > 0 && queuePair.state() == QpState.RTS) {
      if (sender.cursor() == outstanding.tail() && !admit()
          || fault.isSet() && sender.cursor() == faultEntry) {
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
    if (sender.sentPsn() != unacked && timeout != 0 && ackDeadline == Long.MAX_VALUE) {
      ackDeadline = chip.time().now() + timeout;
      queuePair.scheduler().schedule(queuePair);
    }
    return messages + outstanding.head() - before;
  }

  private long send(long budget) {
    long moved = sender.send(budget, sender.sentPsn() == unacked);
    if (moved == RequestSender.REFUSED) {
      faultEntry = sender.cursor();
    }
    return moved;
  }

  /** Executes what needs no request on its way; how many messages. */
  private int cutThrough() {
    if (!outstanding.isEmpty()
        || fault.isSet()
        || recorder.isTracing()
        || queuePair.state() != QpState.RTS) {
      return 0;
    }
    Responder peer = sender.awaiting(nextPsn);
    if (peer == null) {
      return 0;
    }
    boolean hasRoom =
        cutThrough.run(peer, nextPsn, logMtu, sender.burst(), MESSAGES_PER_TURN, BYTES_PER_TURN);
    if (cutThrough.messages() > 0) {
      nextPsn = cutThrough.nextPsn();
      sender.passed(nextPsn);
      peer.passed(cutThrough.messages(), nextPsn);
      recorder.record(Happening.ACKNOWLEDGED, number, 0, Psn.add(nextPsn, -1));
      progress(nextPsn);
    }
    if (!hasRoom) {
      completions.failAtOverrun();
    }
    return cutThrough.messages();
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
    queuePair.noteFetched(index, opcode, ds);
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

  /** Kept, to be told when the retries are used up. */
  @Override
  public void noteDrop(String why) {
    sender.noteDrop(why);
  }

  // ---- from responses to completions

  /** Takes a response off the fabric. */
  public void receive(Response response) {
    if (queuePair.state() != QpState.RTS || response.sourceQpn != queuePair.remoteQpn()) {
      recorder.record(Happening.DROPPED, number, 0, response.psn);
      return;
    }
    // Never sent, or known already: a late or forged response changes nothing.
    if (Psn.distance(response.psn, sender.sentPsn()) <= 0
        || Psn.distance(unacked, response.psn) < 0) {
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
    while (entry != outstanding.tail() && !outstanding.isUnanswered(entry, unacked)) {
      entry++;
    }
    return entry;
  }

  /** PSN of the next response of a READ or atomic. */
  private int awaitedPsn(int entry) {
    int begin = outstanding.firstPsn(entry);
    return Psn.distance(begin, unacked) > 0 ? unacked : begin;
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
    ackDeadline =
        unacked == sender.sentPsn() || timeout == 0 ? Long.MAX_VALUE : chip.time().now() + timeout;
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
    if (!response.payload.copyTo(landing, response.payloadBytes)) {
      failLanding(entry);
      return;
    }
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
    long result = chip.staging().of(AtomicSegment.OPERAND_BYTES);
    Memory.putNativeLong(result, response.original);
    atomicResult.clear();
    atomicResult.add(result, AtomicSegment.OPERAND_BYTES);
    if (!atomicResult.copyTo(landing, AtomicSegment.OPERAND_BYTES)) {
      failLanding(entry);
      return;
    }
    noteAnswer(entry);
    progress(outstanding.endPsn(entry));
  }

  private void noteAnswer(int entry) {
    unanswered--;
    sender.noteAnswer(entry);
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

  private void failLanding(int entry) {
    DataSegments.refuseUnreachable(landing, fault);
    progress(awaitedPsn(entry));
    faultEntry = entry;
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
    sender.rewind(response.psn, unacked);
    paused = true;
    ackDeadline = Long.MAX_VALUE;
    resumeAt = chip.time().now() + Nak.rnrNanos(response.code);
    queuePair.scheduler().schedule(queuePair);
  }

  // ---- time and retries

  @Override
  public long deadline() {
    return Math.min(ackDeadline, resumeAt);
  }

  @Override
  public void onTimer() {
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
      String drop = sender.lastDrop();
      failOldest(
          Syndrome.TRANSPORT_RETRY_EXC_ERR,
          VendorSyndrome.UNKNOWN,
          "%s, after %d retries (retry_count)%s"
              .formatted(
                  why,
                  retryCount,
                  drop.isEmpty() ? "" : "; its last request was dropped: " + drop));
      return;
    }
    retriesLeft--;
    recorder.record(Happening.RETRY, number, 0, psn);
    sender.rewind(psn, unacked);
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
      boolean hasRoom = completions.complete();
      sender.noteRetired();
      if (!hasRoom) {
        completions.failAtOverrun();
        return;
      }
    }
  }

  private void failOldest(int syndrome, int vendorSyndrome, String explanation) {
    if (queuePair.state() == QpState.ERR) {
      // Retiring what a response acknowledged has come to another request that failed.
      return;
    }
    fault.clear();
    completions.fail(syndrome, vendorSyndrome, explanation);
  }

  @Override
  public void flushOutstanding(String cause) {
    completions.flushOutstanding(cause);
    reset();
  }

  @Override
  public int flushPosted(String cause) {
    return completions.flushPosted(cause);
  }
}
