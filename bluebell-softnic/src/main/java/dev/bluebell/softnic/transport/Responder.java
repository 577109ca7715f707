package dev.bluebell.softnic.transport;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeForm;

/**
 * The responder of a reliable connection: executes requests in PSN order, through {@link Delivery}
 * and {@link ReadResponder}, and answers when it has its turn. Pure logic. Owned by whoever runs
 * the engine.
 */
public final class Responder implements ReceiveHalf {
  private static final long BYTES_PER_TURN = 256 << 10;
  private static final int NO_NAK = 0;

  private final QueuePair queuePair;
  private final Chip chip;
  private final Response response = new Response();
  private final Refusal refusal = new Refusal();
  private final Delivery delivery;
  private final ReadResponder reads;

  private int expected;
  private int msn;
  private int rnrTimer;
  private boolean established;

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
  private int remoteQpn;
  private long remoteGidHigh;
  private long remoteGidLow;

  Responder(QueuePair queuePair) {
    this.queuePair = queuePair;
    chip = queuePair.chip();
    number = queuePair.number();
    delivery = new Delivery(queuePair, refusal);
    reads = new ReadResponder(this, queuePair, delivery, refusal, response);
  }

  @Override
  public int expectedPsn() {
    return expected;
  }

  @Override
  public void reset() {
    delivery.reset();
    reads.reset();
    refusal.clear();
    established = false;
    acknowledge = false;
    gapReported = false;
    reportGap = false;
    notReady = false;
    reportNotReady = false;
    nak = NO_NAK;
  }

  @Override
  public void start(View qpc) {
    expected = qpc.getInt(Qpc.NEXT_RCV_PSN);
    msn = 0;
    reads.start(qpc);
  }

  @Override
  public void configure(View qpc) {
    rnrTimer = qpc.getInt(Qpc.MIN_RNR_NAK);
    remoteQpn = queuePair.remoteQpn();
    remoteGidHigh = queuePair.remoteGid().high();
    remoteGidLow = queuePair.remoteGid().low();
    delivery.configure(qpc);
    reads.configure(qpc);
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
    String stranger = Peer.whyNot(queuePair, request);
    if (!stranger.isEmpty()) {
      return drop(request, stranger);
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
    } else if (WqeForm.fetches(request.opcode)) {
      reads.replay(request);
    } else {
      acknowledge = true;
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
          case WqeOpcode.SEND, WqeOpcode.SEND_IMM, WqeOpcode.SEND_INVAL -> delivery.send(request);
          case WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM -> delivery.write(request);
          case WqeOpcode.RDMA_READ -> reads.executeRead(request);
          case WqeOpcode.ATOMIC_CS, WqeOpcode.ATOMIC_FA -> reads.executeAtomic(request);
          default ->
              refusal.refuse(
                  Nak.INVALID_REQUEST,
                  0,
                  "opcode %s is none of a reliable connection"
                      .formatted(WqeOpcode.name(request.opcode)));
        };
    if (!done) {
      takeRefusal(expected);
      return;
    }
    expected = Psn.add(expected, request.packets);
    if (request.last) {
      msn = msn + 1 & Psn.MASK;
    }
    // The answer of a READ or atomic acknowledges it and everything before it.
    acknowledge = !WqeForm.fetches(request.opcode) && (acknowledge || request.acknowledge);
  }

  /** Takes what was refused over into what is to be answered. */
  private void takeRefusal(int psn) {
    if (refusal.code() == Nak.RECEIVER_NOT_READY) {
      notReady = true;
      reportNotReady = true;
      nakExplanation = delivery.starvation();
    } else {
      nak = refusal.code();
      nakPsn = psn;
      receiveSyndrome = refusal.syndrome();
      nakExplanation = refusal.explanation();
    }
    refusal.clear();
  }

  /** Refuses a READ at a PSN of its answer, and all that is to be answered behind it. */
  void refuseAnswer(int psn) {
    takeRefusal(psn);
    reads.giveUp();
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
        && delivery.allowsWrite()
        && !delivery.isInMessage()
        && reads.isIdle()
        && !acknowledge
        && !reportGap
        && !reportNotReady;
  }

  /** Where requests that cut through are delivered. */
  Delivery delivery() {
    return delivery;
  }

  /** Takes note of requests that were executed from the expected PSN on. */
  void passed(int messages, int nextPsn) {
    expected = nextPsn;
    msn = msn + messages & Psn.MASK;
    gapReported = false;
    notReady = false;
  }

  // ---- responses

  @Override
  public int respond() {
    int state = queuePair.state();
    if (state != QpState.RTR && state != QpState.RTS) {
      return 0;
    }
    int done = 0;
    long budget = BYTES_PER_TURN;
    while (!reads.isIdle() && budget > 0) {
      budget -= reads.answer();
      done++;
    }
    if (reads.isIdle() && (nak != NO_NAK || reportNotReady || reportGap || acknowledge)) {
      answerLast();
      done++;
    }
    return done;
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
    if (delivery.holdsReceive()) {
      delivery.failHeld(receiveSyndrome, VendorSyndrome.UNKNOWN, sentence);
    } else {
      chip.explanations().add(HcaObserver.Subject.QUEUE_PAIR, number, sentence);
      queuePair.raise(
          nak == Nak.REMOTE_ACCESS ? HcaEvent.WQ_ACCESS_ERROR : HcaEvent.WQ_INVALID_REQUEST);
    }
    nak = NO_NAK;
    queuePair.fail(sentence);
  }

  @Override
  public void flushHeld(String cause) {
    delivery.flushHeld(cause);
  }

  /** Sends the response, whose payload or result is set. */
  void respond(Response.Kind kind, int psn, int packets, int code) {
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
