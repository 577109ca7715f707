package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Sent;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How an RC requester processes acknowledgements, NAKs, and the data of READs and atomics. */
class RcAnswersTest extends RequesterRig {
  // ---- acknowledgements

  @Test
  void anAcknowledgementCompletesEverythingThroughItsPsn() {
    postAndWork(send(1), send(2).unsignalled(), send(3), send(4));
    assertThat(end.sendsCompleted()).isEmpty();
    ack(1002);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 SEND, 0 bytes", "REQ 2 SEND, 0 bytes");
    ack(1003);
    assertThat(end.sendsCompleted()).containsExactly("REQ 3 SEND, 0 bytes");
    assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
    assertThat(end.chip.recorded()).contains("QP 0x40 acknowledged through PSN 0x0003ea");
  }

  @Test
  void aPartOfAMessageCanBeAcknowledged() {
    postAndWork(send(2 * MTU));
    ack(1000);
    assertThat(end.sendsCompleted()).isEmpty();
    ack(1001);
    assertThat(end.sendsCompleted()).hasSize(1);
  }

  @Test
  void anAnswerWakesTheQueuePair() {
    postAndWork(send(1));
    end.chip.takeTurns();
    ack(1000);
    assertThat(end.chip.takeTurns()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"999", "1001", "1002", "8389607", "16777215", "0"})
  void anAcknowledgementThatIsNotAwaitedIsDropped(int psn) {
    postAndWork(send(1));
    ack(psn);
    assertThat(end.sendsCompleted()).isEmpty();
    assertThat(end.chip.recorded())
        .last()
        .isEqualTo("QP 0x40 dropped a packet, PSN 0x%06x".formatted(psn));
  }

  @Test
  void anAcknowledgementThatCameAlreadyIsDropped() {
    postAndWork(send(1), send(2));
    ack(1000);
    ack(1000);
    assertThat(end.sendsCompleted()).hasSize(1);
    assertThat(end.chip.recorded()).last().isEqualTo("QP 0x40 dropped a packet, PSN 0x0003e8");
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1001, 999, 0, 0xffffff})
  void anAnswerOfAnUnsentRequestIsDropped(int psn) {
    end.route.room(0);
    postAndWork(send(1));
    ack(psn);
    nak(psn, Aeth.REMOTE_ACCESS_NAK);
    readResponse(psn, 1, 0, 4);
    atomicResponse(psn, 5);
    assertThat(end.sendsCompleted()).isEmpty();
    assertThat(end.life.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void aStrangersAcknowledgementIsDropped() {
    postAndWork(send(1));
    Packet forged = end.packet(ServiceType.RC, BthOpcode.ACKNOWLEDGE, 1000);
    forged.syndrome = Aeth.ACK;
    forged.sourceQpn++;
    requester.receive(forged);
    forged.sourceQpn--;
    forged.sourceGidLow++;
    requester.receive(forged);
    assertThat(end.sendsCompleted()).isEmpty();
  }

  @Test
  void answersOutsideOfRtsAreDropped() {
    postAndWork(send(1));
    end.life.enter(QpState.SQD);
    ack(1000);
    assertThat(end.sendsCompleted()).isEmpty();
  }

  // ---- refusals

  @ParameterizedTest
  @CsvSource({
    "0x61, REMOTE_INVAL_REQ_ERR 0x8a, 'the responder refused it: NAK 0x61 (invalid request, for"
        + " instance: its queue pair does not permit it, it does not fit the receive, or the path"
        + " MTUs differ)'",
    "0x62, REMOTE_ACCESS_ERR 0x88, 'the responder refused it: NAK 0x62 (remote access error: the"
        + " key, its rights or its range do not permit it)'",
    "0x63, REMOTE_OP_ERR 0x89, 'the responder refused it: NAK 0x63 (remote operational error: it"
        + " could not execute the request)'",
    "0x64, BAD_RESP_ERR 0x00, the responder answered with the unknown NAK code 0x64",
    "0x40, BAD_RESP_ERR 0x00, the responder answered with the unknown NAK code 0x40",
  })
  void aNakFailsTheRequestAtItsPsnAndCompletesThoseBefore(String code, String error, String why) {
    String advice =
        why.contains("refused")
            ? "; the explanations of its device say why, if that is a software device"
            : "";
    postAndWork(send(1), write(2), send(3));
    nak(1001, Integer.decode(code));
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ 0 SEND, 0 bytes",
            "REQ_ERR 1 RDMA_WRITE: %s, QP 0x40 send WQE 1 (opcode RDMA_WRITE, ds 3): %s%s"
                .formatted(error, why, advice));
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.chip.recorded()).contains("QP 0x40 got NAK " + code);
  }

  @Test
  void aNakCarriesTheRespondersExplanation() {
    postAndWork(send(1));
    Packet nak = end.packet(ServiceType.RC, BthOpcode.ACKNOWLEDGE, 1000);
    nak.syndrome = Aeth.REMOTE_ACCESS_NAK;
    nak.explanation = "its words";
    requester.receive(nak);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 SEND: REMOTE_ACCESS_ERR 0x88, QP 0x40 send WQE 0 (opcode SEND, ds 2): the"
                + " responder refused it: its words");
  }

  // ---- READs

  @Test
  void aReadIsCompleteWithItsData() {
    postAndWork(read(300));
    readResponse(1000, 2, 0, 300);
    assertThat(landed(301)).startsWith(answer.bytes(0, 300)).endsWith(0);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 RDMA_READ, 300 bytes");
  }

  @Test
  void aReadMayBeAnsweredInParts() {
    postAndWork(read(3 * MTU + 5));
    readResponse(1000, 1, 0, MTU);
    readResponse(1001, 2, MTU, 2 * MTU);
    assertThat(end.sendsCompleted()).isEmpty();
    readResponse(1003, 1, 3 * MTU, 5);
    assertThat(landed(3 * MTU + 6)).startsWith(answer.bytes(0, 3 * MTU + 5)).endsWith(0);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 RDMA_READ, 773 bytes");
  }

  @Test
  void anEmptyReadIsAnsweredWithoutData() {
    postAndWork(new Wqe(WqeOpcode.RDMA_READ).remote(0x5000, 0x77));
    readResponse(1000, 1, 0, 0);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 RDMA_READ, 0 bytes");
  }

  @Test
  void theAnswerOfAReadAcknowledgesEarlierRequests() {
    postAndWork(send(1), read(4));
    readResponse(1001, 1, 0, 4);
    assertThat(end.sendsCompleted())
        .containsExactly("REQ 0 SEND, 0 bytes", "REQ 1 RDMA_READ, 4 bytes");
  }

  @Test
  void aPartThatIsMissingIsAskedForOnce() {
    postAndWork(read(4 * MTU));
    readResponse(1000, 1, 0, MTU);
    sent();
    readResponse(1002, 1, 2 * MTU, MTU);
    readResponse(1003, 1, 3 * MTU, MTU);
    requester.work();
    List<Sent> again = end.route.take();
    assertThat(again).hasToString("[READ_REQUEST PSN 1001+1, 0 bytes, acknowledge]");
    assertThat(again.getFirst().headers().address).isEqualTo(0x5000 + MTU);
    assertThat(again.getFirst().headers().length).isEqualTo(3 * MTU);
    readResponse(1001, 3, MTU, 3 * MTU);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 RDMA_READ, 1024 bytes");
    assertThat(landed(4 * MTU)).isEqualTo(answer.bytes(0, 4 * MTU));
  }

  @Test
  void aReadThatIsMissingIsAskedForAgainWithWhatFollows() {
    postAndWork(read(4), read(5));
    sent();
    readResponse(1001, 1, 0, 5);
    requester.work();
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1000+1, 0 bytes, acknowledge",
            "READ_REQUEST PSN 1001+1, 0 bytes, acknowledge");
    assertThat(end.sendsCompleted()).isEmpty();
  }

  @Test
  void aDuplicateAnswerIsDropped() {
    postAndWork(read(4), read(5));
    readResponse(1000, 1, 0, 4);
    readResponse(1000, 1, 100, 4);
    assertThat(landed(4)).containsExactly(1, 2, 3, 4);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 RDMA_READ, 4 bytes");
  }

  @Test
  void anAcknowledgementBehindAReadRepeatsTheRead() {
    postAndWork(read(4), send(1));
    sent();
    ack(1001);
    assertThat(end.sendsCompleted()).isEmpty();
    requester.work();
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1000+1, 0 bytes, acknowledge",
            "SEND_ONLY PSN 1001+1, 1 bytes, acknowledge");
  }

  @Test
  void aNakBehindAReadRepeatsTheRead() {
    postAndWork(read(4), send(1));
    sent();
    nak(1001, Aeth.REMOTE_ACCESS_NAK);
    assertThat(end.sendsCompleted()).isEmpty();
    requester.work();
    assertThat(sent()).hasSize(2);
  }

  @Test
  void anRnrNakBehindAReadRepeatsTheRead() {
    postAndWork(read(4), send(1));
    sent();
    nak(1001, Aeth.RNR_NAK | 1);
    requester.work();
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1000+1, 0 bytes, acknowledge",
            "SEND_ONLY PSN 1001+1, 1 bytes, acknowledge");
  }

  @Test
  void repeatingAReadUsesOneRetryForEachNewGap() {
    postAndWork(read(4), send(1));
    for (int i = 0; i < 3; i++) {
      ack(1001);
      ack(1001);
      passTo((i + 1) * TIMEOUT);
      requester.work();
      if (i == 0) {
        assertThat(end.sendsCompleted()).isEmpty();
      }
    }
    assertThat(end.sendsCompleted().getFirst())
        .startsWith("REQ_ERR 0 RDMA_READ: TRANSPORT_RETRY_EXC_ERR");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 299, 299",
    "2, 299, 256",
    "2, 301, 256",
    "1, 300, 300",
    "1, 255, 255",
    "2, 256, 128",
    "2, 512, 256"
  })
  void anAnswerOfAnotherLengthIsALengthError(int packets, int bytes, int each) {
    postAndWork(read(300));
    readResponse(1000, packets, 0, bytes);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 RDMA_READ: LOCAL_LENGTH_ERR 0x00, QP 0x40 send WQE 0 (opcode RDMA_READ, ds 3): a READ response came in packets of %d bytes; the path MTU of this end is 256 (%d bytes came, 300 are left): set the same path MTU at both ends"
                .formatted(each, bytes));
    assertThat(landed(1)).containsExactly(0);
  }

  @Test
  void dataForAnotherRequestIsABadResponse() {
    postAndWork(send(1));
    readResponse(1000, 1, 0, 4);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 SEND: BAD_RESP_ERR 0x00, QP 0x40 send WQE 0 (opcode SEND, ds 2): READ data"
                + " came, but no READ is waiting for it");
  }

  @Test
  void dataForAnAtomicIsABadResponse() {
    postAndWork(fetchAdd());
    readResponse(1000, 1, 0, 8);
    assertThat(end.sendsCompleted().getFirst())
        .endsWith("READ data came, but no READ is waiting for it");
  }

  @Test
  void aResultForAReadIsABadResponse() {
    postAndWork(read(8));
    atomicResponse(1000, 5);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 RDMA_READ: BAD_RESP_ERR 0x00, QP 0x40 send WQE 0 (opcode RDMA_READ, ds 3):"
                + " the result of an atomic came, but no atomic is waiting for it");
  }

  @Test
  void dataThatCantLandFailsTheReadAndCompletesEarlierRequests() {
    LoneMemory readOnly = end.chip.memory(64, MemoryKey.LOCAL_READ);
    postAndWork(
        send(1),
        new Wqe(WqeOpcode.RDMA_READ)
            .remote(0x5000, 0x77)
            .data(readOnly.address(0), 4, readOnly.key()));
    readResponse(1001, 1, 0, 4);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ 0 SEND, 0 bytes",
            "REQ_ERR 1 RDMA_READ: LOCAL_PROT_ERR 0x51, QP 0x40 send WQE 1 (opcode RDMA_READ, ds 3): data segment 0 (byte_count 4): lkey 0x%x does not grant LOCAL_WRITE: it was registered with LOCAL_READ"
                .formatted(readOnly.key()));
    assertThat(readOnly.bytes(0, 4)).containsOnly(0);
  }

  // ---- atomics

  @Test
  void anAtomicIsCompleteWithItsResult() {
    postAndWork(fetchAdd());
    atomicResponse(1000, 0x0102030405060708L);
    assertThat(landed(9)).containsExactly(8, 7, 6, 5, 4, 3, 2, 1, 0);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 ATOMIC_FA, 8 bytes");
  }

  @Test
  void aResultThatCantLandFailsTheAtomic() {
    LoneMemory readOnly = end.chip.memory(64, MemoryKey.LOCAL_READ);
    postAndWork(
        new Wqe(WqeOpcode.ATOMIC_FA)
            .remote(0x5008, 0x77)
            .words(3, 0)
            .data(readOnly.address(0), 8, readOnly.key()));
    atomicResponse(1000, 1);
    assertThat(end.sendsCompleted().getFirst())
        .startsWith("REQ_ERR 0 ATOMIC_FA: LOCAL_PROT_ERR 0x51");
  }

  @Test
  void aResultAheadOfItsTurnIsAskedForAgain() {
    postAndWork(fetchAdd(), fetchAdd());
    sent();
    atomicResponse(1001, 1);
    requester.work();
    assertThat(sent()).hasSize(2);
    atomicResponse(1000, 1);
    atomicResponse(1001, 4);
    assertThat(end.sendsCompleted()).hasSize(2);
    assertThat(landed(1)).containsExactly(4);
  }
}
