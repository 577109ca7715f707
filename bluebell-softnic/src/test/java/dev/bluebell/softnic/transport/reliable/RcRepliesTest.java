package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.Sent;
import org.junit.jupiter.api.Test;

/** What an RC responder answers, and when: acknowledgements, NAKs and RNR NAKs. */
class RcRepliesTest extends ResponderRig {
  // ---- acknowledgements

  @Test
  void anAnswerIsAddressedToThePeer() {
    end.receives.post(buffer, 0, 100);
    send(BthOpcode.SEND_ONLY, PSN, 5);
    responder.respond();
    Packet ack = end.route.take().getFirst().headers();
    assertThat(ack.opcode).isEqualTo(0x11);
    assertThat(ack.destinationQpn).isEqualTo(LoneEnd.REMOTE_QPN);
    assertThat(ack.sourceQpn).isEqualTo(LoneEnd.QPN);
    assertThat(ack.destinationGidLow).isEqualTo(LoneEnd.REMOTE.low());
    assertThat(ack.explanation).isEmpty();
  }

  @Test
  void requestsThatAskForNoAcknowledgementGetNone() {
    end.receives.post(buffer, 0, 100).post(buffer, 0, 100);
    Packet quiet = request(BthOpcode.SEND_ONLY, PSN, 1);
    quiet.acknowledge = false;
    responder.receive(quiet);
    assertThat(answers()).isEmpty();
    send(BthOpcode.SEND_ONLY, PSN + 1, 1);
    expectAck(1001, 2);
  }

  @Test
  void oneAcknowledgementCoversAllEarlierRequests() {
    for (int i = 0; i < 3; i++) {
      write(BthOpcode.WRITE_ONLY, PSN + i, 1, i, 1);
    }
    expectAck(1002, 3);
  }

  // ---- the receiver is not ready

  @Test
  void withoutAReceiveASendGetsAnRnrNak() {
    send(BthOpcode.SEND_ONLY, PSN, 1);
    responder.respond();
    Sent rnr = end.route.take().getFirst();
    assertThat(rnr).hasToString("ACKNOWLEDGE PSN 1000+1, syndrome 0x2c, MSN 0");
    assertThat(rnr.headers().explanation)
        .isEqualTo(
            "QP 0x40 has no receive WQE posted; post receives and ring their doorbell before"
                + " the peer sends");
    assertThat(end.life.state()).isEqualTo(QpState.RTS);
    assertThat(responder.expectedPsn()).isEqualTo(1000);
    end.receives.post(buffer, 0, 100);
    send(BthOpcode.SEND_ONLY, PSN, 1);
    expectAck(1000, 1);
  }

  @Test
  void requestsBehindAnRnrNakAreNotAGap() {
    send(BthOpcode.SEND_ONLY, PSN, 1);
    assertThat(answers()).hasSize(1);
    send(BthOpcode.SEND_ONLY, PSN + 1, 1);
    assertThat(answers()).isEmpty();
  }

  @Test
  void eachAttemptGetsAnRnrNak() {
    for (int i = 0; i < 3; i++) {
      send(BthOpcode.SEND_ONLY, PSN, 1);
      assertThat(answers()).containsExactly("ACKNOWLEDGE PSN 1000+1, syndrome 0x2c, MSN 0");
    }
  }

  // ---- gaps and duplicates

  @Test
  void aGapIsReportedOnce() {
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    assertThat(answers()).containsExactly("ACKNOWLEDGE PSN 1000+1, syndrome 0x60, MSN 0");
    write(BthOpcode.WRITE_ONLY, PSN + 2, 1, 0, 1);
    assertThat(answers()).isEmpty();
    assertThat(memory.bytes(0, 1)).containsExactly(0);
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    expectAck(1000, 1);
    write(BthOpcode.WRITE_ONLY, PSN + 2, 1, 0, 1);
    assertThat(answers()).containsExactly("ACKNOWLEDGE PSN 1001+1, syndrome 0x60, MSN 1");
    assertThat(end.chip.recorded()).contains("QP 0x40 dropped a packet, PSN 0x0003ea");
  }

  @Test
  void aGapThatClosesBeforeItIsReportedIsForgotten() {
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    expectAck(1000, 1);
  }

  @Test
  void aDuplicateIsAcknowledgedAndNotExecuted() {
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    answers();
    memory.put(0, (byte) 99);
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    assertThat(memory.bytes(0, 1)).containsExactly(99);
    expectAck(1000, 1);
    assertThat(responder.expectedPsn()).isEqualTo(1001);
  }

  // ---- order behind READs

  @Test
  void aRequestAfterAReadIsAcknowledgedBehindTheRead() {
    read(PSN, 0, 4);
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    assertThat(answers())
        .containsExactly(
            "READ_RESPONSE_ONLY PSN 1000+1, 4 bytes, MSN 2",
            "ACKNOWLEDGE PSN 1001+1, syndrome 0x1f, MSN 2");
  }

  @Test
  void aRefusalIsAnsweredBehindTheReads() {
    read(PSN, 0, 4);
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 2);
    responder.respond();
    assertThat(end.route.texts())
        .containsExactly(
            "READ_RESPONSE_ONLY PSN 1000+1, 4 bytes, MSN 1",
            "ACKNOWLEDGE PSN 1001+1, syndrome 0x61, MSN 1");
  }

  // ---- room on the route

  @Test
  void anAcknowledgementWaitsForRoom() {
    end.route.room(0);
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    assertThat(responder.respond()).isZero();
    end.route.room(1);
    assertThat(responder.respond()).isEqualTo(1);
    assertThat(end.route.texts()).hasSize(1);
    assertThat(responder.respond()).isZero();
  }

  @Test
  void aRefusalWaitsForRoomAndEndsTheConnectionThen() {
    end.route.room(0);
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 2);
    assertThat(responder.respond()).isZero();
    assertThat(end.life.state()).isEqualTo(QpState.RTS);
    assertThat(responder.receive(writeRequest(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1)))
        .isEqualTo("QP 0x40 refused an earlier request");
    end.route.room(1);
    assertThat(responder.respond()).isEqualTo(1);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void anRnrNakAndAGapWaitForRoom() {
    end.route.room(0);
    send(BthOpcode.SEND_ONLY, PSN, 1);
    assertThat(responder.respond()).isZero();
    end.route.room(9);
    assertThat(answers()).containsExactly("ACKNOWLEDGE PSN 1000+1, syndrome 0x2c, MSN 0");
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    answers();
    end.route.room(0);
    write(BthOpcode.WRITE_ONLY, PSN + 5, 1, 0, 1);
    assertThat(responder.respond()).isZero();
    end.route.room(9);
    assertThat(answers()).containsExactly("ACKNOWLEDGE PSN 1001+1, syndrome 0x60, MSN 1");
    assertThat(answers()).isEmpty();
  }

  @Test
  void withoutARouteAnswersAreLost() {
    end.route.leadNowhere();
    restart();
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    assertThat(responder.respond()).isEqualTo(1);
    assertThat(responder.respond()).isZero();
  }

  // ---- accepted requesters and states

  @Test
  void nothingIsAnsweredOutsideOfRtrAndRts() {
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    end.life.enter(QpState.SQD);
    assertThat(responder.respond()).isZero();
    end.life.enter(QpState.RTR);
    assertThat(responder.respond()).isEqualTo(1);
  }

  // ---- a second refusal

  @Test
  void anAnsweredRefusalIsNotTakenForThatOfAnotherRequest() {
    send(BthOpcode.SEND_ONLY, PSN, 1);
    assertThat(answers()).hasSize(1);
    for (int i = 0; i < 256; i++) {
      end.receiveCompletions.queue().completeRequest(1, 1, 0, 0, 0);
    }
    end.receives.post(buffer, 0, 100);
    send(BthOpcode.SEND_ONLY, PSN, 1);
    assertThat(answers()).isEmpty();
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
  }
}
