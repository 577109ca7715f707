package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.receive.Arrival;
import dev.bluebell.softnic.transport.receive.HeldReceive;
import dev.bluebell.softnic.transport.receive.Refusal;
import dev.bluebell.softnic.transport.receive.TagDelivery;
import org.jspecify.annotations.Nullable;

/**
 * The responses of a responder: sends them, and remembers which acknowledgement or NAK it owes
 * behind the responses of READs and atomics. A NAK that refuses a request ends the connection.
 * Owned by the thread that runs the engine.
 */
final class RcReplies {
  private static final int NO_NAK = 0;

  private final Chip chip;
  private final Lifecycle life;
  private final Connection connection;
  private final QpIdentity self;
  private final int service;
  private final HeldReceive held;
  private final Refusal refusal;
  private final @Nullable TagDelivery tagged;
  private final Packet response = new Packet();

  private int msn;
  private int rnrTimer;

  // Responses to be sent behind those of the READs.
  private boolean acknowledge;
  private boolean gapReported;
  private boolean reportGap;
  private boolean notReady;
  private boolean reportNotReady;
  private int nak = NO_NAK;
  private int nakPsn;

  // Protection domain whose client may read everything about the keys of the refused request. For
  // XRC, it is that of the queue that the request named: the target may belong to no client, and
  // later requests may have named queues of others.
  private int nakPd;
  private int receiveSyndrome;
  private String nakExplanation = "";
  private String nakToStrangers = "";

  /**
   * @param arrival holds the refusal of a request, and the receive WQE that fails with it
   * @param tagged of a tag-matching queue; null for other queues
   */
  RcReplies(End end, Arrival arrival, @Nullable TagDelivery tagged) {
    chip = end.chip();
    life = end.life();
    connection = end.connection();
    self = end.self();
    service = Opcodes.service(self.service());
    held = arrival.held();
    refusal = arrival.refusal();
    this.tagged = tagged;
  }

  void reset() {
    acknowledge = false;
    gapReported = false;
    reportGap = false;
    notReady = false;
    reportNotReady = false;
    nak = NO_NAK;
  }

  void start() {
    msn = 0;
  }

  /**
   * Applies the attributes that may also change later.
   *
   * @param newRnrTimer code of the time after which the requester tries again
   */
  void configure(int newRnrTimer) {
    rnrTimer = newRnrTimer;
    connection.address(response);
  }

  // ---- responses that are owed

  /** Records a request with the expected PSN: it closes a gap, and ends the wait for a receive. */
  void noteExpected() {
    gapReported = false;
    reportGap = false;
    notReady = false;
    reportNotReady = false;
  }

  /**
   * Records an executed request.
   *
   * @param answered whether it has a response of its own, which acknowledges it and everything
   *     before it
   */
  void noteExecuted(Packet request, boolean answered) {
    acknowledge = !answered && (acknowledge || request.acknowledge);
  }

  /** Counts complete messages, for the MSN. */
  void count(int messages) {
    msn = msn + messages & Psn.MASK;
  }

  /** Records requests that cut through. */
  void notePassed(int messages) {
    count(messages);
    gapReported = false;
    notReady = false;
  }

  /** Owes an acknowledgement, because a duplicate came. */
  void acknowledgeAgain() {
    acknowledge = true;
  }

  /** Owes a NAK for a request with a later PSN than the expected one. */
  void reportGap() {
    // One NAK per gap, and no NAK behind an RNR NAK, after which the requester sends everything
    // again anyway.
    reportGap |= !gapReported && !notReady;
    gapReported = true;
  }

  /**
   * Owes an RNR NAK for a request.
   *
   * @param pd protection domain that the keys of the request must belong to
   */
  void notReady(String explanation, int pd) {
    notReady = true;
    reportNotReady = true;
    nakPd = pd;
    nakExplanation = explanation;
    nakToStrangers = explanation;
  }

  /**
   * Turns a refusal into a pending NAK.
   *
   * @param pd protection domain that the keys of the request must belong to
   */
  void refuse(int psn, int pd) {
    nak = refusal.code();
    nakPsn = psn;
    nakPd = pd;
    receiveSyndrome = refusal.syndrome();
    nakExplanation = refusal.explanation();
    nakToStrangers = refusal.toStrangers();
    refusal.clear();
  }

  /** Like {@link #refuse}, for a READ or atomic, at a PSN of its response. */
  void refuseAnswer(int psn, int pd) {
    refuse(psn, pd);
    // A receive WQE that is in use belongs to a later message, which is flushed.
    receiveSyndrome = Syndrome.WR_FLUSH_ERR;
  }

  /** True when a request was refused, and the NAK waits for a turn. */
  boolean isRefusing() {
    return nak != NO_NAK;
  }

  /** Why the last request was refused, or had no receive WQE. */
  String explanation() {
    return nakExplanation;
  }

  /** True when a response waits for a turn, apart from those of READs and atomics. */
  boolean isOwing() {
    return nak != NO_NAK || reportNotReady || reportGap || acknowledge;
  }

  // ---- sending

  /**
   * Sends a response that is owed; false when there is no room for one now.
   *
   * @param expected the PSN of the next request
   */
  boolean send(int expected) {
    if (nak != NO_NAK) {
      return giveUp();
    }
    if (reportNotReady) {
      reportNotReady = !explain(nakExplanation, nakToStrangers, expected, Aeth.RNR_NAK | rnrTimer);
      acknowledge &= reportNotReady;
      return !reportNotReady;
    }
    if (reportGap) {
      reportGap = !explain("", "", expected, Aeth.PSN_SEQUENCE_NAK);
      acknowledge &= reportGap;
      return !reportGap;
    }
    acknowledge = !explain("", "", Psn.add(expected, -1), Aeth.ACK);
    return !acknowledge;
  }

  private boolean explain(String explanation, String toStrangers, int psn, int syndrome) {
    response.explanation = explanation;
    response.explanationToStrangers = toStrangers;
    response.explainerPd = nakPd;
    boolean taken = respond(BthOpcode.ACKNOWLEDGE, psn, 1, syndrome);
    response.explanation = "";
    response.explanationToStrangers = "";
    return taken;
  }

  private boolean giveUp() {
    String sentence = refused(nakExplanation);
    String toStrangers = refused(nakToStrangers);
    if (!explain(sentence, toStrangers, nakPsn, nak)) {
      return false;
    }
    acknowledge = false;
    if (nak == Aeth.REMOTE_ACCESS_NAK) {
      chip.counters().count(QueueCounter.RESPONDER_ACCESS);
    } else if (nak == Aeth.INVALID_REQUEST_NAK) {
      chip.counters().count(QueueCounter.RESPONDER_INVALID_REQUEST);
    }
    boolean isHeld = held.isHeld();
    if (isHeld) {
      held.fail(
          receiveSyndrome,
          VendorSyndrome.ofReceive(receiveSyndrome, nak),
          chip.keys().tellsAll(nakPd, held.pd()) ? sentence : toStrangers);
    }
    if (!isHeld || receiveSyndrome == Syndrome.WR_FLUSH_ERR) {
      if (tagged != null) {
        tagged.cancel(sentence);
      }
      chip.explainQueuePair(self.number(), sentence);
      life.raise(
          nak == Aeth.REMOTE_ACCESS_NAK ? HcaEvent.WQ_ACCESS_ERROR : HcaEvent.WQ_INVALID_REQUEST);
    }
    nak = NO_NAK;
    life.fail(sentence);
    return true;
  }

  private String refused(String why) {
    String peer = connection.farPeer();
    return "%s refused the request at PSN 0x%06x%s: %s"
        .formatted(self.name(), nakPsn, peer.isEmpty() ? "" : " of " + peer, why);
  }

  /** The packet that {@link #respond} sends, for its payload or result. */
  Packet response() {
    return response;
  }

  /**
   * Sends the response, with its payload or result set; false when there is no room for it now.
   *
   * @param operation see {@link BthOpcode}
   */
  boolean respond(int operation, int psn, int packets, int syndrome) {
    response.opcode = service | operation;
    response.psn = psn;
    response.packets = packets;
    response.msn = msn;
    response.syndrome = syndrome;
    Route route = connection.route();
    if (route == null) {
      return true;
    }
    boolean taken = route.send(response);
    if (taken) {
      chip.counters().sent(packets, response.payloadBytes);
    }
    return taken;
  }
}
