package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.transport.FaultyFabric.Answer;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.ArrayList;
import java.util.List;

/**
 * A wire that carries one packet at a time, records each request, and loses packets that a test
 * selects by PSN.
 */
final class Wire {
  private final List<Sent> sent = new ArrayList<>();
  private final List<Integer> lostRequests = new ArrayList<>();
  private final List<Integer> lostAnswers = new ArrayList<>();
  private final FaultyFabric[] link = new FaultyFabric[1];
  private boolean losesRequests;
  private boolean losesAnswers;

  /** A request as it was sent, delivered or not. */
  record Sent(int psn, long address, long length) {}

  /** Opens a device whose queue pairs reach each other over this wire. */
  Rig open() {
    return Rigs.open(
        (inside, sink) -> {
          link[0] =
              new FaultyFabric(inside, sink)
                  .packetsPerBurst(1)
                  .onRequest(this::carryRequest)
                  .onResponse(this::carryAnswer);
          return link[0];
        });
  }

  private Fate carryRequest(Packet request) {
    sent.add(new Sent(request.psn, request.address, request.length));
    return losesRequests || lostRequests.remove((Integer) request.psn) ? Fate.LOSE : Fate.DELIVER;
  }

  private Fate carryAnswer(Packet response) {
    return losesAnswers || lostAnswers.remove((Integer) response.psn) ? Fate.LOSE : Fate.DELIVER;
  }

  /** All requests since the last {@link #forgetSent}, in order. */
  List<Sent> sent() {
    return sent;
  }

  List<Integer> sentPsns() {
    return sent.stream().map(Sent::psn).toList();
  }

  void forgetSent() {
    sent.clear();
  }

  /** Loses one more request with this PSN. */
  void loseRequest(int psn) {
    lostRequests.add(psn);
  }

  /** Loses one more answer with this PSN. */
  void loseAnswer(int psn) {
    lostAnswers.add(psn);
  }

  void loseRequests(boolean all) {
    losesRequests = all;
  }

  void loseAnswers(boolean all) {
    losesAnswers = all;
  }

  /** Delivers a long-delayed acknowledgement to the left end. */
  void acknowledgeLate(RawPair pair, int psn) {
    answerLate(pair, Answer.ACKNOWLEDGE, psn);
  }

  /** Delivers a long-delayed RNR NAK, with a timer of 10 µs, to the left end. */
  void notReadyLate(RawPair pair, int psn) {
    answerLate(pair, Answer.RECEIVER_NOT_READY, psn);
  }

  private void answerLate(RawPair pair, Answer kind, int psn) {
    link[0].forgeResponse(
        pair.right().number(),
        pair.left().number(),
        kind,
        psn,
        response -> response.syndrome |= kind == Answer.RECEIVER_NOT_READY ? 1 : 0);
  }

  /** Delivers 8 long-delayed bytes of READ data to the left end. */
  void answerReadLate(RawPair pair, int psn, RawMemory memory, long offset) {
    link[0].forgeResponse(
        pair.right().number(),
        pair.left().number(),
        Answer.READ,
        psn,
        response -> {
          response.payload.add(memory.address(offset), 8);
          response.payloadBytes = 8;
        });
  }
}
