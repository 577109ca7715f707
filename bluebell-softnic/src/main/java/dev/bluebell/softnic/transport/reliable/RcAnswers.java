package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.InlineData;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.operation.AtomicRequests;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.RefusedRequest;
import dev.bluebell.softnic.transport.receive.HeldReceive;

/**
 * Processes the responses to a requester: acknowledgements, READ data, results of atomics, and
 * NAKs. Owned by the thread that runs the engine.
 */
final class RcAnswers {
  private final Chip chip;
  private final FlightRecorder recorder;
  private final QpIdentity self;
  private final int pd;
  private final Outstanding outstanding;
  private final PsnWindow window;
  private final RcSender sender;
  private final RefusedRequest refused;
  private final RcRetirement retirement;
  private final RcRecovery recovery;
  private final LastAnswer lastAnswer;
  private final SegmentList landing = new SegmentList();
  private final SegmentList atomicResult = new SegmentList();
  private int logMtu;

  // Number of READs and atomics without a response.
  private int unanswered;

  /**
   * @param pd protection domain of the memory in which responses land
   */
  RcAnswers(
      End end,
      int pd,
      Outstanding outstanding,
      PsnWindow window,
      RcSender sender,
      RefusedRequest refused,
      RcRetirement retirement,
      RcRecovery recovery,
      LastAnswer lastAnswer) {
    chip = end.chip();
    recorder = chip.recorder();
    self = end.self();
    this.pd = pd;
    this.outstanding = outstanding;
    this.window = window;
    this.sender = sender;
    this.refused = refused;
    this.retirement = retirement;
    this.recovery = recovery;
    this.lastAnswer = lastAnswer;
  }

  void reset() {
    unanswered = 0;
  }

  void configure(int logarithmOfMtu) {
    logMtu = logarithmOfMtu;
  }

  /** Counts a new READ or atomic. */
  void noteAsked() {
    unanswered++;
  }

  /** Processes a response of the peer to a sent PSN. */
  void receive(Packet response) {
    lastAnswer.note(response);
    int operation = BthOpcode.operation(response.opcode);
    if (BthOpcode.isReadResponse(operation)) {
      receiveRead(response);
    } else if (operation == BthOpcode.ATOMIC_ACKNOWLEDGE) {
      receiveAtomic(response);
    } else if (Aeth.isAck(response.syndrome)) {
      recorder.record(HcaHappening.ACKNOWLEDGED, self.number(), 0, response.psn);
      acknowledgeBefore(Psn.add(response.psn, 1));
    } else if (Aeth.isRnrNak(response.syndrome)) {
      receiveRnr(response);
    } else {
      receiveNak(response);
    }
  }

  /**
   * Acknowledges everything before {@code psn}. If an unanswered READ or atomic is among it,
   * requests that again and returns false.
   */
  private boolean acknowledgeBefore(int psn) {
    int oldest = oldestUnanswered();
    if (oldest != outstanding.tail()) {
      int awaited = awaitedPsn(oldest);
      if (Psn.distance(awaited, psn) > 0) {
        askAgain(awaited);
        return false;
      }
    }
    recovery.progress(psn);
    return true;
  }

  private int oldestUnanswered() {
    return unanswered == 0 ? outstanding.tail() : outstanding.oldestUnanswered(window.unacked());
  }

  /** PSN of the next response of a READ or atomic. */
  private int awaitedPsn(int entry) {
    int begin = outstanding.firstPsn(entry);
    return Psn.distance(begin, window.unacked()) > 0 ? window.unacked() : begin;
  }

  /**
   * True when the response is the next awaited one; otherwise it was dropped, or the missing one is
   * requested again.
   */
  private boolean isAwaited(Packet response, boolean read) {
    int asked = outstanding.head();
    while (asked != outstanding.tail()
        && Psn.distance(outstanding.endPsn(asked), response.psn) >= 0) {
      asked++;
    }
    boolean fits =
        asked != outstanding.tail()
            && outstanding.wqe(asked).isAnswered()
            && read == (outstanding.wqe(asked).opcode() == WqeOpcode.RDMA_READ);
    if (!fits) {
      recorder.record(HcaHappening.DROPPED, self.number(), 0, response.psn);
      retirement.failOldest(
          Syndrome.BAD_RESP_ERR,
          VendorSyndrome.UNKNOWN,
          read
              ? "READ data came, but no READ is waiting for it"
              : "the result of an atomic came, but no atomic is waiting for it");
      return false;
    }
    int awaited = awaitedPsn(oldestUnanswered());
    int ahead = Psn.distance(awaited, response.psn);
    if (ahead > 0) {
      askAgain(awaited);
    }
    return ahead == 0;
  }

  /**
   * Retries from {@code awaited}, because a later response shows that the one at that PSN is
   * missing. Further late responses show the same, and are counted only once.
   */
  private void askAgain(int awaited) {
    recovery.progress(awaited);
    if (recovery.noteMissing(QueueCounter.IMPLIED_NAK)) {
      recovery.retry(awaited, "a later response came before the answer of a READ or atomic");
    }
  }

  // ---- data

  private void receiveRead(Packet response) {
    if (!isAwaited(response, true)) {
      return;
    }
    int entry = oldestUnanswered();
    int begin = outstanding.firstPsn(entry);
    int expected = awaitedPsn(entry);
    long arrived = (long) Psn.distance(begin, expected) << logMtu;
    long left = outstanding.wqe(entry).bytes() - arrived;
    int end = Psn.add(expected, response.packets);
    boolean last = end == outstanding.endPsn(entry);
    if (last
        ? response.payloadBytes != left
        : response.payloadBytes != (long) response.packets << logMtu
            || response.payloadBytes > left) {
      refused
          .fault()
          .set(
              Syndrome.LOCAL_LENGTH_ERR,
              "a READ response came in packets of %d bytes; the path MTU of this end is %d (%d bytes came, %d are left): set the same path MTU at both ends"
                  .formatted(response.bytesOfEach(), 1 << logMtu, response.payloadBytes, left));
      failAt(entry, expected);
      return;
    }
    if (!land(entry, arrived, response.payload, response.payloadBytes)) {
      return;
    }
    if (last) {
      noteAnswer(entry);
    }
    recovery.progress(end);
  }

  private void receiveAtomic(Packet response) {
    if (!isAwaited(response, false)) {
      return;
    }
    int entry = oldestUnanswered();
    int bytes = outstanding.wqe(entry).bytes();
    long result = chip.staging().of(AtomicRequests.MAX_BYTES);
    AtomicRequests.putResult(result, response, bytes, outstanding.isInline(entry));
    atomicResult.clear();
    atomicResult.add(result, bytes);
    if (land(entry, 0, atomicResult, bytes)) {
      noteAnswer(entry);
      recovery.progress(outstanding.endPsn(entry));
    }
  }

  private void noteAnswer(int entry) {
    unanswered--;
    sender.noteAnswer(entry);
  }

  /**
   * Writes response data to the memory that the WQE names, or keeps it for the CQE; false when it
   * can't be written, and the request fails.
   */
  private boolean land(int entry, long skip, SegmentList data, int bytes) {
    if (outstanding.isInline(entry)) {
      InlineData.put(data, bytes, outstanding.answer(entry));
      return true;
    }
    SendWqe wqe = outstanding.wqe(entry);
    boolean allowed =
        DataSegments.collect(
            wqe.list(),
            wqe.listEnd(),
            skip,
            bytes,
            chip.keys(),
            pd,
            self.number(),
            MemoryKey.LOCAL_WRITE,
            landing,
            refused.fault());
    if (allowed && data.copyTo(landing, bytes)) {
      return true;
    }
    if (allowed) {
      DataSegments.refuseUnreachable(landing, refused.fault());
    }
    failAt(entry, awaitedPsn(entry));
    return false;
  }

  /** Fails a request whose response can't be written; the fault says why. */
  private void failAt(int entry, int progressed) {
    refused.at(entry);
    recovery.progress(progressed);
  }

  // ---- refusals

  private void receiveNak(Packet response) {
    recorder.record(HcaHappening.REFUSED, self.number(), 0, response.syndrome);
    if (!acknowledgeBefore(response.psn)) {
      return;
    }
    if (response.syndrome == Aeth.PSN_SEQUENCE_NAK) {
      if (recovery.noteMissing(QueueCounter.SEQUENCE_NAK)) {
        recovery.retry(response.psn, "the responder missed PSN 0x%06x".formatted(response.psn));
      }
      return;
    }
    String explanation = "the responder refused it: " + explanation(response);
    switch (response.syndrome) {
      case Aeth.INVALID_REQUEST_NAK ->
          retirement.failOldest(
              Syndrome.REMOTE_INVAL_REQ_ERR, VendorSyndrome.REMOTE_INVALID_REQUEST, explanation);
      case Aeth.REMOTE_ACCESS_NAK ->
          retirement.failOldest(
              Syndrome.REMOTE_ACCESS_ERR, VendorSyndrome.REMOTE_ACCESS, explanation);
      case Aeth.REMOTE_OPERATION_NAK ->
          retirement.failOldest(
              Syndrome.REMOTE_OP_ERR, VendorSyndrome.REMOTE_OPERATION, explanation);
      default ->
          retirement.failOldest(
              Syndrome.BAD_RESP_ERR,
              VendorSyndrome.UNKNOWN,
              "the responder answered with the unknown NAK code 0x%02x"
                  .formatted(response.syndrome));
    }
  }

  /** What is known of a refusal when the responder's words are not: those of its NAK's code. */
  private static String meaning(int syndrome) {
    String words =
        switch (syndrome) {
          case Aeth.INVALID_REQUEST_NAK ->
              "invalid request, for instance: its queue pair does not permit it, it does not fit"
                  + " the receive, or the path MTUs differ";
          case Aeth.REMOTE_ACCESS_NAK ->
              "remote access error: the key, its rights or its range do not permit it";
          case Aeth.REMOTE_OPERATION_NAK ->
              "remote operational error: it could not execute the request";
          default -> "receiver not ready";
        };
    return "NAK 0x%02x (%s); the explanations of its device say why, if that is a software device"
        .formatted(syndrome, words);
  }

  private String explanation(Packet response) {
    String words =
        isOfThisClient(response) ? response.explanation : response.explanationToStrangers;
    return words.isEmpty() ? meaning(response.syndrome) : words;
  }

  private boolean isOfThisClient(Packet response) {
    return chip.keys().tellsAll(response.explainerPd, self.pd());
  }

  private void receiveRnr(Packet response) {
    int timer = Aeth.rnrTimer(response.syndrome);
    if (recovery.isPaused() && response.psn == window.unacked()) {
      // A duplicate: nothing was sent since then.
      return;
    }
    chip.counters().count(QueueCounter.RNR_NAK);
    // Another RNR NAK for the same request is not progress: only an acknowledgement restores
    // retries.
    if ((response.psn == window.unacked() || acknowledgeBefore(response.psn))
        && recovery.pause(response.psn, timer, explanation(response))
        && !response.remote
        && self.service() != ServiceType.XRC
        && !isOfThisClient(response)) {
      chip.explainQueuePair(
          response.sourceQpn, HeldReceive.missed(self.name(), explanation(response)));
    }
  }
}
