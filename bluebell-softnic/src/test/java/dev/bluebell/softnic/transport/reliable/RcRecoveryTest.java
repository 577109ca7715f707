package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.Sent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How an RC requester sends again: after sequence NAKs, RNR NAKs and timeouts. */
class RcRecoveryTest extends RequesterRig {
  // ---- refusals

  @Test
  void aSequenceNakSendsAgainFromItsPsn() {
    postAndWork(send(1), send(2), send(3));
    sent();
    nak(1001, Aeth.PSN_SEQUENCE_NAK);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 SEND, 0 bytes");
    requester.work();
    assertThat(sent())
        .containsExactly(
            "SEND_ONLY PSN 1001+1, 2 bytes, acknowledge",
            "SEND_ONLY PSN 1002+1, 3 bytes, acknowledge");
    assertThat(end.chip.recorded()).contains("QP 0x40 goes back to PSN 0x0003e9");
  }

  @Test
  void aSequenceNakInAMessageSendsAgainFromTheMiddle() {
    postAndWork(write(10 * MTU));
    sent();
    nak(1005, Aeth.PSN_SEQUENCE_NAK);
    requester.work();
    List<Sent> again = end.route.take();
    assertThat(again)
        .hasToString(
            "[WRITE_MIDDLE PSN 1005+4, 1024 bytes, WRITE_LAST PSN 1009+1, 256 bytes, acknowledge]");
    assertThat(again.getFirst().data()[0]).isEqualTo((byte) (5 * MTU + 1));
  }

  @Test
  void sequenceNaksThatComeAgainWithoutProgressTakeOneRetry() {
    postAndWork(send(1));
    for (int i = 0; i < 5; i++) {
      nak(1000, Aeth.PSN_SEQUENCE_NAK);
      requester.work();
    }
    assertThat(end.sendsCompleted()).isEmpty();
    // Sent twice, whatever came in between.
    assertThat(end.route.take()).hasSize(2);
  }

  @Test
  void progressRestoresTheRetries() {
    postAndWork(send(1), send(2));
    for (int i = 0; i < 3; i++) {
      nak(1000, Aeth.PSN_SEQUENCE_NAK);
      requester.work();
    }
    for (int i = 0; i < 3; i++) {
      nak(1001, Aeth.PSN_SEQUENCE_NAK);
      requester.work();
    }
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 SEND, 0 bytes");
  }

  // ---- the receiver is not ready

  @Test
  void anRnrNakIsWaitedForAndSentAgain() {
    end.chip.at(5_000_000);
    postAndWork(send(1), send(2));
    sent();
    end.chip.takeSchedules();
    // Code 12: 640 µs.
    nak(1001, Aeth.RNR_NAK | 12);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 SEND, 0 bytes");
    assertThat(requester.deadline()).isEqualTo(5_640_000);
    assertThat(end.chip.takeSchedules()).isPositive();
    assertThat(requester.work()).isZero();
    assertThat(sent()).isEmpty();
    passTo(5_639_999);
    requester.work();
    assertThat(sent()).isEmpty();
    passTo(5_640_000);
    assertThat(sent()).containsExactly("SEND_ONLY PSN 1001+1, 2 bytes, acknowledge");
    assertThat(end.chip.recorded()).contains("QP 0x40 got RNR NAK, timer code 12");
  }

  @Test
  void aSequenceNakWhileTheReceiverIsWaitedForSendsNothingBeforeTheTime() {
    postAndWork(send(1), send(2));
    sent();
    nak(1000, Aeth.RNR_NAK | 12);
    passTo(600_000);
    nak(1000, Aeth.PSN_SEQUENCE_NAK);
    requester.work();
    passTo(639_999);
    assertThat(sent()).isEmpty();
    passTo(640_000);
    assertThat(sent())
        .containsExactly(
            "SEND_ONLY PSN 1000+1, 1 bytes, acknowledge",
            "SEND_ONLY PSN 1001+1, 2 bytes, acknowledge");
  }

  @Test
  void rnrNaksWithoutProgressUseUpTheirRetries() {
    postAndWork(send(1));
    for (int i = 1; i <= 2; i++) {
      nak(1000, Aeth.RNR_NAK | 1);
      assertThat(end.sendsCompleted()).isEmpty();
      passTo(i * 10_000L);
    }
    Packet last = end.packet(ServiceType.RC, BthOpcode.ACKNOWLEDGE, 1000);
    last.syndrome = Aeth.RNR_NAK;
    last.explanation = "it is tired";
    requester.receive(last);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 SEND: RNR_RETRY_EXC_ERR 0x87, QP 0x40 send WQE 0 (opcode SEND, ds 2): the"
                + " receiver had no receive WQE posted, each of the 3 times that the request was"
                + " sent (rnr_retry 2): it is tired");
  }

  @Test
  void anRnrRetryOfSevenIsForEver() {
    end.qpc.set(Qpc.RNR_RETRY, 7);
    restart();
    postAndWork(send(1));
    for (int i = 1; i < 100; i++) {
      nak(1000, Aeth.RNR_NAK | 1);
      passTo(i * 10_000L);
    }
    assertThat(end.sendsCompleted()).isEmpty();
    assertThat(sent()).hasSize(100);
  }

  @Test
  void ofTheRnrNaksOfOneRequestTheRecordHasThoseWhoseCountIsAPowerOfTwo() {
    end.qpc.set(Qpc.RNR_RETRY, 7);
    restart();
    postAndWork(send(1), send(2));
    for (int i = 1; i <= 1000; i++) {
      nak(1000, Aeth.RNR_NAK | 1);
      passTo(i * 10_000L);
    }
    String first = "QP 0x40 got RNR NAK, timer code 1";
    assertThat(rnrNaksRecorded())
        .hasSize(10)
        .startsWith(first, first + " (number 2 for this request)")
        .endsWith(first + " (number 512 for this request)");
    nak(1001, Aeth.RNR_NAK | 1);
    assertThat(rnrNaksRecorded()).hasSize(11);
    assertThat(rnrNaksRecorded().getLast()).as("of the next request").isEqualTo(first);
  }

  private List<String> rnrNaksRecorded() {
    return end.chip.recorded().stream().filter(line -> line.contains("RNR NAK")).toList();
  }

  @Test
  void aTimeoutAmongRnrNaksSaysThatTheReceiverWasNotReady() {
    end.qpc.set(Qpc.RNR_RETRY, 7);
    restart();
    postAndWork(send(1));
    long now = 0;
    for (int i = 0; i < 4; i++) {
      assertThat(end.sendsCompleted()).isEmpty();
      nak(1000, Aeth.RNR_NAK | 1);
      now += 10_000;
      passTo(now);
      now += TIMEOUT;
      passTo(now);
    }
    assertThat(end.sendsCompleted().getFirst())
        .contains(
            "after 3 retries (retry_count), which RNR NAKs do not restore: 4 came meanwhile,"
                + " because the receiver had no receive WQE posted; its last answer was for PSN"
                + " 0x0003e8");
  }

  // ---- timeouts

  @Test
  void withoutAnAnswerEverythingIsSentAgainAfterTheTimeout() {
    end.chip.at(100);
    postAndWork(send(1), send(2));
    assertThat(requester.deadline()).isEqualTo(TIMEOUT + 100);
    assertThat(end.chip.takeSchedules()).isEqualTo(1);
    sent();
    passTo(TIMEOUT + 99);
    assertThat(sent()).isEmpty();
    passTo(TIMEOUT + 100);
    assertThat(sent())
        .containsExactly(
            "SEND_ONLY PSN 1000+1, 1 bytes, acknowledge",
            "SEND_ONLY PSN 1001+1, 2 bytes, acknowledge");
    assertThat(requester.deadline()).isEqualTo(2 * TIMEOUT + 100);
  }

  @Test
  void progressStartsTheTimeoutAnew() {
    postAndWork(send(1), send(2));
    end.chip.at(TIMEOUT - 1);
    ack(1000);
    assertThat(requester.deadline()).isEqualTo(2 * TIMEOUT - 1);
    sent();
    passTo(2 * TIMEOUT - 1);
    assertThat(sent()).containsExactly("SEND_ONLY PSN 1001+1, 2 bytes, acknowledge");
  }

  @Test
  void timeoutsUseUpTheRetries() {
    postAndWork(send(1));
    for (int i = 1; i <= 3; i++) {
      passTo(i * TIMEOUT);
      assertThat(end.sendsCompleted()).isEmpty();
    }
    passTo(4 * TIMEOUT);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 SEND: TRANSPORT_RETRY_EXC_ERR 0x81, QP 0x40 send WQE 0 (opcode SEND, ds 2):"
                + " no response came within the ACK timeout of 67,108 µs, after 3 retries"
                + " (retry_count); no answer ever came");
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aResponderThatExpectsAnotherFirstPsnIsDistinguishedFromSilence() {
    postAndWork(send(1));
    nak(700, Aeth.PSN_SEQUENCE_NAK);
    for (int i = 1; i <= 4; i++) {
      passTo(i * TIMEOUT);
    }
    assertThat(end.sendsCompleted().getFirst())
        .endsWith(
            "it answered that it expects PSN 0x0002bc, but the first request has PSN 0x0003e8:"
                + " next_send_psn here (sq_psn) and next_rcv_psn there (rq_psn) must be the same"
                + " number");
  }

  @Test
  void aResponderThatTakesTheFirstRequestForADuplicateRevealsItsPsnToo() {
    postAndWork(send(1));
    ack(4999);
    for (int i = 1; i <= 4; i++) {
      passTo(i * TIMEOUT);
    }
    assertThat(end.sendsCompleted().getFirst())
        .contains(
            "it answered that it expects PSN 0x001388, but the first request has PSN 0x0003e8");
  }

  @Test
  void lateAnswersBehindAGoodOneSayNothingAboutTheFirstPsn() {
    postAndWork(send(1), send(2));
    ack(1000);
    ack(700);
    for (int i = 1; i <= 4; i++) {
      passTo(i * TIMEOUT);
    }
    assertThat(end.sendsCompleted().getLast())
        .endsWith("its last answer was for PSN 0x0003e8, when it had completed 1 message (MSN)");
  }

  @Test
  void theReasonOfTheLastDropIsReported() {
    postAndWork(send(1));
    for (int i = 1; i <= 3; i++) {
      passTo(i * TIMEOUT);
    }
    requester.noteDrop(0, "nobody is there");
    passTo(4 * TIMEOUT);
    assertThat(end.sendsCompleted().getFirst())
        .endsWith("no answer ever came; its last packet was dropped: nobody is there");
  }

  @Test
  void anEarlierDropDoesNotExplainTheLastAttempt() {
    postAndWork(send(1));
    requester.noteDrop(0, "the lossy fabric lost it");
    for (int i = 1; i <= 4; i++) {
      passTo(i * TIMEOUT);
    }
    assertThat(end.sendsCompleted().getFirst()).endsWith("no answer ever came");
  }

  @Test
  void withoutARouteRequestsAreLostAndTheReasonIsReported() {
    end.route.leadNowhere();
    restart();
    postAndWork(send(1));
    for (int i = 1; i <= 4; i++) {
      passTo(i * TIMEOUT);
    }
    assertThat(end.sendsCompleted().getFirst())
        .endsWith(
            "its last packet was dropped: no port of this device reaches the destination GID"
                + " fe80:0000:0000:0000:00be:11ff:fe00:0002 (rgid)");
  }

  @Test
  void aTimeoutCodeOfZeroIsNoTimeout() {
    requester.start(end.qpc, 0);
    postAndWork(send(1));
    // When the user is told, see M48.
    assertThat(requester.deadline()).isEqualTo(1_000_000_000);
    ack(1000);
    assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aPauseStopsTheTimeout() {
    postAndWork(send(1));
    nak(1000, Aeth.RNR_NAK);
    // Code 0: 655.36 ms, longer than the timeout.
    assertThat(requester.deadline()).isEqualTo(655_360_000);
  }

  // ---- timers and rewinding

  @Test
  void progressLetsAMissingReadBeAskedForAgain() {
    postAndWork(send(1), read(1), send(1));
    ack(1002);
    requester.work();
    assertThat(end.sendsCompleted()).as("requests before the READ").hasSize(1);
    readResponse(1001, 1, 0, 1);
    postAndWork(read(1), send(1));
    sent();
    ack(1004);
    requester.work();
    assertThat(sent()).as("another READ is missing").hasSize(2);
  }

  @Test
  void deadlinesThatAreNewAreAnnounced() {
    postAndWork(send(1), send(1));
    end.chip.takeSchedules();
    ack(1000);
    assertThat(end.chip.takeSchedules()).as("a later deadline").isZero();
    nak(1001, Aeth.RNR_NAK | 1);
    assertThat(end.chip.takeSchedules()).isEqualTo(1);
  }

  @Test
  void aTimerThatRanWakesTheQueuePair() {
    postAndWork(send(1));
    end.chip.takeTurns();
    end.chip.at(TIMEOUT);
    requester.onTimer();
    assertThat(end.chip.takeTurns()).isEqualTo(1);
  }

  @Test
  void aTimeoutLetsAMissingReadBeAskedForAgain() {
    postAndWork(read(1), send(1));
    ack(1001);
    requester.work();
    sent();
    end.chip.at(2 * TIMEOUT);
    requester.onTimer();
    requester.work();
    assertThat(sent()).hasSize(2);
    ack(1001);
    requester.work();
    assertThat(sent()).as("a gap after a timeout counts again").hasSize(2);
  }

  @Test
  void aRetryBeforeAllWasSentGoesOnWithTheRest() {
    end.route.room(3);
    postAndWork(send(1), send(2), send(8 * MTU), send(4));
    assertThat(sent()).hasSize(3);
    nak(1001, Aeth.PSN_SEQUENCE_NAK);
    end.route.room(99);
    requester.work();
    assertThat(sent())
        .containsExactly(
            "SEND_ONLY PSN 1001+1, 2 bytes, acknowledge",
            "SEND_FIRST PSN 1002+4, 1024 bytes",
            "SEND_LAST PSN 1006+4, 1024 bytes, acknowledge",
            "SEND_ONLY PSN 1010+1, 4 bytes, acknowledge");
  }

  @Test
  void aRetryOfAReadInTheMidstOfManyCountsThoseThatAreOnTheirWay() {
    postAndWork(read(1), read(1), send(1), read(1), read(1), read(1));
    sent();
    // The first READ is answered and the second is missing.
    readResponse(1000, 1, 0, 1);
    requester.work();
    sent();
    nak(1002, Aeth.PSN_SEQUENCE_NAK);
    requester.work();
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1001+1, 0 bytes, acknowledge",
            "SEND_ONLY PSN 1002+1, 1 bytes, acknowledge",
            "READ_REQUEST PSN 1003+1, 0 bytes, acknowledge",
            "READ_REQUEST PSN 1004+1, 0 bytes, acknowledge",
            "READ_REQUEST PSN 1005+1, 0 bytes, acknowledge");
  }

  @Test
  void aRetryBehindAReadThatIsOnItsWayCountsThatRead() {
    postAndWork(read(1), read(1), read(1), send(1), read(1));
    sent();
    nak(1003, Aeth.RNR_NAK | 1);
    requester.work();
    assertThat(sent()).hasSize(5);
    postAndWork(read(1));
    assertThat(sent()).as("four READs are on their way").isEmpty();
  }
}
