package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.transport.connection.Connection;

/**
 * The last response that a requester received, for explanations. Owned by the thread that runs the
 * engine.
 */
final class LastAnswer {
  private boolean heard;
  private int psn;
  private int msn;

  // The PSN that the responder expects, when all its responses were for PSNs never sent here.
  private boolean astray;
  private int expectedAstray;

  // Why the first response was dropped; empty when none was. Only one is described, because any
  // number may come.
  private String dropped = "";

  void reset() {
    heard = false;
    astray = false;
    dropped = "";
  }

  /** Records a response of the peer to a sent PSN. */
  void note(Packet response) {
    heard = true;
    psn = response.psn;
    msn = response.msn;
  }

  /** Records a response of the peer for a PSN that is not awaited. */
  void noteAstray(Packet response) {
    if (heard || BthOpcode.operation(response.opcode) != BthOpcode.ACKNOWLEDGE) {
      return;
    }
    astray = true;
    expectedAstray = Aeth.isAck(response.syndrome) ? Psn.add(response.psn, 1) : response.psn;
  }

  /** Records why a response to a sent PSN was dropped, unless there is something to say already. */
  void noteDropped(Connection connection, Packet response) {
    if (!heard && dropped.isEmpty()) {
      dropped = connection.whyNotAnswer(response);
    }
  }

  /**
   * Describes it as a part of a sentence.
   *
   * @param unacked the oldest unacknowledged PSN
   */
  String describe(int unacked) {
    if (heard) {
      return "its last answer was for PSN 0x%06x, when it had completed %s (MSN)"
          .formatted(psn, Counted.of(msn, "message"));
    }
    if (!dropped.isEmpty()) {
      return "answers came, but were dropped: " + dropped;
    }
    return astray
        ? "it answered that it expects PSN 0x%06x, but the first request has PSN 0x%06x: next_send_psn here (sq_psn) and next_rcv_psn there (rq_psn) must be the same number"
            .formatted(expectedAstray, unacked)
        : "no answer ever came";
  }
}
