package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneKey;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Sent;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requester of a reliable connection: what it sends, and how it handles responses. */
class RcRequesterTest {
  private static final int PSN = LoneEnd.PSN;
  private static final int MTU = LoneEnd.MTU;

  /** Code 14: 4.096 µs · 2^14. */
  private static final int TIMEOUT_CODE = 14;

  private static final long TIMEOUT = 67_108_864;

  private final LoneEnd end = new LoneEnd(ServiceType.RC);
  private final LoneMemory local =
      end.chip.memory(1 << 16, MemoryKey.LOCAL_READ | MemoryKey.LOCAL_WRITE).count(0, 1 << 15);
  private final LoneMemory answer = end.chip.memory(1 << 13).count(0, 1 << 13);
  private final RcRequester requester = end.requester();

  @BeforeEach
  void connect() {
    restart();
  }

  /** Starts with the attributes that the end now has. */
  private void restart() {
    end.connect();
    requester.start(end.qpc, TIMEOUT_CODE);
    requester.configure(end.qpc);
  }

  private void post(Wqe... wqes) {
    end.sends.post(wqes);
  }

  private void postAndWork(Wqe... wqes) {
    post(wqes);
    requester.work();
  }

  private List<String> sent() {
    return end.route.texts();
  }

  private Wqe send(int bytes) {
    return Wqe.send().data(local.address(0), bytes, local.key());
  }

  private Wqe write(int bytes) {
    return new Wqe(WqeOpcode.RDMA_WRITE)
        .remote(0x5000, 0x77)
        .data(local.address(0), bytes, local.key());
  }

  private Wqe read(int bytes) {
    return new Wqe(WqeOpcode.RDMA_READ)
        .remote(0x5000, 0x77)
        .data(local.address(1 << 15), bytes, local.key());
  }

  private Wqe fetchAdd() {
    return new Wqe(WqeOpcode.ATOMIC_FA)
        .remote(0x5008, 0x77)
        .words(3, 0)
        .data(local.address(1 << 15), 8, local.key());
  }

  private static Wqe fenced(Wqe wqe, int fence) {
    return wqe.control(fence | ControlSegment.CE_ALWAYS);
  }

  private byte[] landed(int bytes) {
    return local.bytes(1 << 15, bytes);
  }

  private void respond(int operation, int psn, int syndrome, int msn) {
    Packet response = end.packet(ServiceType.RC, operation, psn);
    response.syndrome = syndrome;
    response.msn = msn;
    requester.receive(response);
  }

  private void ack(int psn) {
    respond(BthOpcode.ACKNOWLEDGE, psn, Aeth.ACK, 1);
  }

  private void nak(int psn, int code) {
    respond(BthOpcode.ACKNOWLEDGE, psn, code, 1);
  }

  private void readResponse(int psn, int packets, int offset, int bytes) {
    Packet response = end.packet(ServiceType.RC, BthOpcode.READ_RESPONSE_ONLY, psn);
    response.packets = packets;
    requester.receive(LoneEnd.carrying(response, answer, offset, bytes));
  }

  private void atomicResponse(int psn, long original) {
    Packet response = end.packet(ServiceType.RC, BthOpcode.ATOMIC_ACKNOWLEDGE, psn);
    response.original = original;
    requester.receive(response);
  }

  /** Advances the clock, and runs the timer if its deadline has come. */
  private void passTo(long nanos) {
    end.chip.at(nanos);
    if (requester.deadline() <= nanos) {
      requester.onTimer();
      requester.work();
    }
  }

  // ---- sending

  @Test
  void aSendIsOnePacketWithItsPayload() {
    postAndWork(send(5));
    Sent packet = end.route.take().getFirst();
    assertThat(packet).hasToString("SEND_ONLY PSN 1000+1, 5 bytes, acknowledge");
    assertThat(packet.data()).containsExactly(1, 2, 3, 4, 5);
    assertThat(packet.headers().opcode).isEqualTo(0x04);
    assertThat(packet.headers().sourceQpn).isEqualTo(LoneEnd.QPN);
    assertThat(packet.headers().destinationQpn).isEqualTo(LoneEnd.REMOTE_QPN);
    assertThat(packet.headers().sourceGidHigh).isEqualTo(LoneEnd.LOCAL.high());
    assertThat(packet.headers().sourceGidLow).isEqualTo(LoneEnd.LOCAL.low());
    assertThat(packet.headers().destinationGidHigh).isEqualTo(LoneEnd.REMOTE.high());
    assertThat(packet.headers().destinationGidLow).isEqualTo(LoneEnd.REMOTE.low());
    assertThat(requester.nextPsn()).isEqualTo(1001);
  }

  @Test
  void anEmptySendIsOnePacket() {
    postAndWork(Wqe.send());
    assertThat(sent()).containsExactly("SEND_ONLY PSN 1000+1, 0 bytes, acknowledge");
  }

  @Test
  void anImmediateAndAKeyToInvalidateTravelWithASend() {
    postAndWork(
        new Wqe(WqeOpcode.SEND_IMM).immediate(0x1234).control(ControlSegment.SOLICITED | 8),
        new Wqe(WqeOpcode.SEND_INVAL).immediate(0x5678));
    List<Sent> packets = end.route.take();
    assertThat(packets)
        .hasToString(
            "[SEND_ONLY_IMMEDIATE PSN 1000+1, 0 bytes, acknowledge, solicited, SEND_ONLY_INVALIDATE"
                + " PSN 1001+1, 0 bytes, acknowledge]");
    assertThat(packets.get(0).headers().immediate).isEqualTo(0x1234);
    assertThat(packets.get(1).headers().immediate).isEqualTo(0x5678);
  }

  @Test
  void aWriteSaysWhereItsWholeMessageGoes() {
    postAndWork(
        write(7),
        new Wqe(WqeOpcode.RDMA_WRITE_IMM)
            .remote(0x6000, 0x88)
            .immediate(9)
            .data(local.address(0), 3, local.key()));
    List<Sent> packets = end.route.take();
    assertThat(packets)
        .hasToString(
            "[WRITE_ONLY PSN 1000+1, 7 bytes, acknowledge, WRITE_ONLY_IMMEDIATE PSN 1001+1, 3"
                + " bytes, acknowledge]");
    Packet first = packets.get(0).headers();
    assertThat(first.address).isEqualTo(0x5000);
    assertThat(first.rkey).isEqualTo(0x77);
    assertThat(first.length).isEqualTo(7);
    Packet second = packets.get(1).headers();
    assertThat(second.address).isEqualTo(0x6000);
    assertThat(second.rkey).isEqualTo(0x88);
    assertThat(second.length).isEqualTo(3);
    assertThat(second.immediate).isEqualTo(9);
  }

  @Test
  void aLongMessageGoesInTrainsOfWhatTheRouteCarries() {
    postAndWork(send(9 * MTU + 1), send(4 * MTU));
    assertThat(sent())
        .containsExactly(
            "SEND_FIRST PSN 1000+4, 1024 bytes",
            "SEND_MIDDLE PSN 1004+4, 1024 bytes",
            "SEND_LAST PSN 1008+2, 257 bytes, acknowledge",
            "SEND_ONLY PSN 1010+4, 1024 bytes, acknowledge");
  }

  @Test
  void thePiecesOfAMessageAreItsBytesInOrder() {
    end.route.burst(1);
    restart();
    postAndWork(write(2 * MTU + 10));
    List<Sent> packets = end.route.take();
    assertThat(packets)
        .hasToString(
            "[WRITE_FIRST PSN 1000+1, 256 bytes, WRITE_MIDDLE PSN 1001+1, 256 bytes, WRITE_LAST PSN"
                + " 1002+1, 10 bytes, acknowledge]");
    List<Byte> all = new ArrayList<>();
    for (Sent packet : packets) {
      assertThat(packet.headers().length).isEqualTo(2 * MTU + 10);
      for (byte b : packet.data()) {
        all.add(b);
      }
    }
    assertThat(all).hasSize(522);
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i)).isEqualTo((byte) (i + 1));
    }
  }

  @Test
  void aReadRequestTakesThePsnsOfItsAnswer() {
    postAndWork(read(3 * MTU + 1), send(1));
    List<Sent> packets = end.route.take();
    assertThat(packets)
        .hasToString(
            "[READ_REQUEST PSN 1000+1, 0 bytes, acknowledge, SEND_ONLY PSN 1004+1, 1 bytes,"
                + " acknowledge]");
    Packet request = packets.getFirst().headers();
    assertThat(request.address).isEqualTo(0x5000);
    assertThat(request.rkey).isEqualTo(0x77);
    assertThat(request.length).isEqualTo(769);
  }

  @Test
  void aReadOfNothingTakesOnePsn() {
    postAndWork(new Wqe(WqeOpcode.RDMA_READ).remote(0x5000, 0x77), send(1));
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1000+1, 0 bytes, acknowledge",
            "SEND_ONLY PSN 1001+1, 1 bytes, acknowledge");
  }

  @Test
  void atomicsCarryTheirOperands() {
    postAndWork(
        new Wqe(WqeOpcode.ATOMIC_CS)
            .remote(0x5008, 0x77)
            .words(5, 6)
            .data(local.address(0), 8, local.key()),
        fetchAdd());
    List<Sent> packets = end.route.take();
    assertThat(packets)
        .hasToString(
            "[COMPARE_SWAP PSN 1000+1, 0 bytes, acknowledge, FETCH_ADD PSN 1001+1, 0 bytes,"
                + " acknowledge]");
    Packet swap = packets.get(0).headers();
    assertThat(swap.swapAdd).isEqualTo(5);
    assertThat(swap.compare).isEqualTo(6);
    assertThat(swap.address).isEqualTo(0x5008);
    assertThat(swap.rkey).isEqualTo(0x77);
    assertThat(swap.length).isEqualTo(8);
    assertThat(packets.get(1).headers().swapAdd).isEqualTo(3);
  }

  @Test
  void aReadIsNotSolicited() {
    postAndWork(new Wqe(WqeOpcode.SEND_IMM).control(ControlSegment.SOLICITED | 8), read(1));
    assertThat(end.route.take().get(1).headers().solicited).isFalse();
  }

  @Test
  void aNopSendsNothingAndTakesNoPsn() {
    postAndWork(Wqe.nop());
    assertThat(sent()).isEmpty();
    assertThat(requester.nextPsn()).isEqualTo(PSN);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 NOP, 0 bytes");
  }

  @Test
  void psnsWrap() {
    end.qpc.set(Qpc.NEXT_SEND_PSN, 0xffffff);
    restart();
    postAndWork(send(2 * MTU), send(1));
    assertThat(sent())
        .containsExactly(
            "SEND_ONLY PSN 16777215+2, 512 bytes, acknowledge",
            "SEND_ONLY PSN 1+1, 1 bytes, acknowledge");
    ack(1);
    assertThat(end.sendsCompleted()).hasSize(2);
  }

  @Test
  void workReturnsHowMuchWasDone() {
    post(send(1), Wqe.nop(), send(1));
    assertThat(requester.work()).isEqualTo(3);
    assertThat(requester.work()).isZero();
    post(Wqe.nop());
    ack(1001);
    assertThat(requester.work()).as("a message and its completion").isEqualTo(2);
  }

  @Test
  void aTurnSends64Messages() {
    end.qpc.set(Qpc.LOG_SRA_MAX, 4);
    for (int i = 0; i < 70; i++) {
      post(Wqe.nop().unsignalled());
    }
    // The window has 64 WQEBBs, and NOPs give theirs back at the end of the turn.
    assertThat(requester.work()).isEqualTo(64 + 64);
    assertThat(requester.work()).isEqualTo(6 + 6);
  }

  @Test
  void aTurnMovesAQuarterOfAMegabyte() {
    LoneMemory large = end.chip.memory(1 << 20, MemoryKey.LOCAL_READ);
    postAndWork(Wqe.send().data(large.address(0), 1 << 20, large.key()));
    assertThat(sent()).hasSize(256);
    requester.work();
    assertThat(sent()).hasSize(256);
  }

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

  @Test
  void anAcknowledgementOfAnUnsentRequestIsDropped() {
    end.route.room(0);
    postAndWork(send(1));
    ack(1000);
    assertThat(end.sendsCompleted()).isEmpty();
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

  @Test
  void theResponderIsAskedAtTheInterval() {
    end.qpc.set(Qpc.LOG_ACK_REQ_FREQ, 1);
    end.route.burst(1);
    restart();
    postAndWork(send(5 * MTU));
    assertThat(sent())
        .containsExactly(
            "SEND_FIRST PSN 1000+1, 256 bytes",
            "SEND_MIDDLE PSN 1001+1, 256 bytes, acknowledge",
            "SEND_MIDDLE PSN 1002+1, 256 bytes",
            "SEND_MIDDLE PSN 1003+1, 256 bytes, acknowledge",
            "SEND_LAST PSN 1004+1, 256 bytes, acknowledge");
  }

  @Test
  void theIntervalCountsFromTheLastPacketThatAsked() {
    end.qpc.set(Qpc.LOG_ACK_REQ_FREQ, 2);
    end.route.burst(1);
    restart();
    postAndWork(send(3 * MTU), send(5 * MTU));
    assertThat(sent().stream().filter(text -> text.contains("acknowledge")).toList())
        .containsExactly(
            "SEND_LAST PSN 1002+1, 256 bytes, acknowledge",
            "SEND_MIDDLE PSN 1006+1, 256 bytes, acknowledge",
            "SEND_LAST PSN 1007+1, 256 bytes, acknowledge");
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

  // ---- limits

  @Test
  void noMoreReadsAreOnTheirWayThanTheContextSays() {
    postAndWork(read(1), read(1), fetchAdd(), read(1), read(1), send(1));
    assertThat(sent()).hasSize(4);
    readResponse(1000, 1, 0, 1);
    requester.work();
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1004+1, 0 bytes, acknowledge",
            "SEND_ONLY PSN 1005+1, 1 bytes, acknowledge");
  }

  @Test
  void aLogarithmOfMoreThanFourMeansSixteenReads() {
    end.qpc.set(Qpc.LOG_SRA_MAX, 7);
    restart();
    for (int i = 0; i < 20; i++) {
      post(read(1));
    }
    requester.work();
    assertThat(sent()).hasSize(16);
  }

  @Test
  void readsThatAreAskedAgainCountOnce() {
    postAndWork(read(1), read(1), read(1), read(1), read(1));
    sent();
    passTo(TIMEOUT);
    assertThat(sent()).hasSize(4);
    readResponse(1000, 1, 0, 1);
    readResponse(1001, 1, 0, 1);
    requester.work();
    assertThat(sent()).containsExactly("READ_REQUEST PSN 1004+1, 0 bytes, acknowledge");
  }

  @Test
  void sixtyFourWqebbsAreOutstandingAtMost() {
    for (int i = 0; i < 70; i++) {
      post(send(1));
    }
    requester.work();
    requester.work();
    assertThat(sent()).hasSize(64);
    ack(1001);
    requester.work();
    assertThat(sent()).hasSize(2);
  }

  @Test
  void atMostHalfOfThePsnsLessOneAreGivenOut() {
    // 2^30 bytes at an MTU of 256 are 2^22 PSNs; two of them would be one too many.
    postAndWork(
        new Wqe(WqeOpcode.RDMA_READ).remote(0, 1).data(0, 1 << 30, 1),
        new Wqe(WqeOpcode.RDMA_READ).remote(0, 1).data(0, (1 << 30) - 2 * MTU, 1),
        read(1),
        read(1),
        read(1));
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1000+1, 0 bytes, acknowledge",
            "READ_REQUEST PSN 4195304+1, 0 bytes, acknowledge",
            "READ_REQUEST PSN 8389606+1, 0 bytes, acknowledge");
    assertThat(requester.nextPsn()).isEqualTo(8389607);
  }

  /** A write of 2^30 bytes, which takes 2^22 PSNs, from memory that is never read. */
  private Wqe hugeWrite() {
    MemoryKey key =
        new MemoryKey(
            end.chip.keys().allocateIndex() << 8,
            new LoneKey().rights(MemoryKey.LOCAL_READ).context(0, 1 << 30),
            local.umem(),
            0,
            0);
    end.chip.keys().put(key);
    return new Wqe(WqeOpcode.RDMA_WRITE).remote(0x5000, 0x77).data(0, 1 << 30, key.key());
  }

  @Test
  void aRequestThatWaitsForPsnsIsSentWhenThereAreSome() {
    end.route.burst(1 << 22);
    end.chip.allowLongTurns();
    end.route.keepNoPayload();
    restart();
    postAndWork(hugeWrite());
    post(hugeWrite());
    assertThat(requester.work()).isZero();
    assertThat(sent()).containsExactly("WRITE_ONLY PSN 1000+4194304, 0 bytes, acknowledge");
    ack(1000);
    requester.work();
    assertThat(sent()).containsExactly("WRITE_ONLY PSN 4195304+4194304, 0 bytes, acknowledge");
  }

  @Test
  void aRequestThatWaitsForPsnsIsFlushedWithTheOthers() {
    postAndWork(
        new Wqe(WqeOpcode.RDMA_READ).remote(0, 1).data(0, 1 << 30, 1),
        new Wqe(WqeOpcode.RDMA_READ).remote(0, 1).data(0, 1 << 30, 1));
    requester.flushOutstanding("flushed");
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 RDMA_READ: WR_FLUSH_ERR 0xf9, flushed",
            "REQ_ERR 1 RDMA_READ: WR_FLUSH_ERR 0xf9, flushed");
  }

  // ---- fences

  @ParameterizedTest
  @CsvSource({"0x40", "0x80"})
  void aFenceWaitsForReads(String mode) {
    postAndWork(read(1), send(1), fenced(send(2), Integer.decode(mode)), send(3));
    assertThat(sent())
        .containsExactly(
            "READ_REQUEST PSN 1000+1, 0 bytes, acknowledge",
            "SEND_ONLY PSN 1001+1, 1 bytes, acknowledge");
    readResponse(1000, 1, 0, 1);
    requester.work();
    assertThat(sent())
        .containsExactly(
            "SEND_ONLY PSN 1002+1, 2 bytes, acknowledge",
            "SEND_ONLY PSN 1003+1, 3 bytes, acknowledge");
  }

  @ParameterizedTest
  @CsvSource({"0x00", "0x20"})
  void noFenceAndASmallOneDoNotWaitForReads(String mode) {
    postAndWork(read(1), fenced(send(2), Integer.decode(mode)));
    assertThat(sent()).hasSize(2);
  }

  @Test
  void aFenceDoesNotWaitForSends() {
    postAndWork(send(1), fenced(send(2), ControlSegment.FENCE));
    assertThat(sent()).hasSize(2);
  }

  @Test
  void aStrongFenceWaitsForEverything() {
    postAndWork(send(1), fenced(send(2), ControlSegment.FENCE_STRONG), send(3));
    assertThat(sent()).containsExactly("SEND_ONLY PSN 1000+1, 1 bytes, acknowledge");
    ack(1000);
    requester.work();
    assertThat(sent())
        .containsExactly(
            "SEND_ONLY PSN 1001+1, 2 bytes, acknowledge",
            "SEND_ONLY PSN 1002+1, 3 bytes, acknowledge");
  }

  @Test
  void aStrongFenceDoesNotStopItsOwnMessageInTheMidst() {
    postAndWork(fenced(send(6 * MTU), ControlSegment.FENCE_STRONG));
    assertThat(sent()).hasSize(2);
  }

  @Test
  void aStrongFenceMayStandFirst() {
    postAndWork(fenced(send(2), ControlSegment.FENCE_STRONG));
    assertThat(sent()).hasSize(1);
  }

  // ---- the route has no room

  @Test
  void packetsThatTheRouteRefusesAreSentWhenItHasRoom() {
    end.route.room(1);
    postAndWork(send(10 * MTU), read(1));
    assertThat(sent()).containsExactly("SEND_FIRST PSN 1000+4, 1024 bytes");
    assertThat(requester.work()).isZero();
    end.route.room(1);
    assertThat(requester.work()).isEqualTo(1);
    assertThat(sent()).containsExactly("SEND_MIDDLE PSN 1004+4, 1024 bytes");
    end.route.room(1);
    requester.work();
    assertThat(sent()).containsExactly("SEND_LAST PSN 1008+2, 512 bytes, acknowledge");
    end.route.room(5);
    requester.work();
    assertThat(sent()).containsExactly("READ_REQUEST PSN 1010+1, 0 bytes, acknowledge");
  }

  @Test
  void withoutRoomNoTimeoutStartsBeforeSomethingWasSent() {
    end.route.room(0);
    postAndWork(send(1));
    assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
  }

  // ---- invalid requests

  @Test
  void aWqeThatCantBeExecutedFailsAfterThoseBeforeIt() {
    postAndWork(send(1), new Wqe(WqeOpcode.SET_PSV), send(2));
    assertThat(sent()).containsExactly("SEND_ONLY PSN 1000+1, 1 bytes, acknowledge");
    assertThat(end.sendsCompleted()).isEmpty();
    ack(1000);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ 0 SEND, 0 bytes",
            "REQ_ERR 1 SET_PSV: LOCAL_QP_OP_ERR 0x00, QP 0x40 send WQE 1 (opcode SET_PSV, ds 1):"
                + " opcode SET_PSV is not supported by an RC send queue of this device");
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause())
        .startsWith(
            "flushed, because QP 0x40 is in ERR: QP 0x40 send WQE 1 (opcode SET_PSV, ds 1):");
  }

  @Test
  void aWqeThatCantBeFetchedFailsAtOnceWhenItIsTheOldest() {
    postAndWork(send(1).index(9));
    assertThat(sent()).isEmpty();
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 SEND: LOCAL_QP_OP_ERR 0x68, QP 0x40 send WQE 0 (opcode SEND, ds 2):"
                + " wqe_index in the control segment is 9, and should be 0: the index of the WQE's"
                + " first WQEBB, counted from 0 after each reset");
  }

  @Test
  void aKeyThatRefusesFailsItsRequestAfterThoseBefore() {
    postAndWork(send(1), Wqe.send().data(0x1000, 8, 0xbad00), send(3));
    ack(1000);
    assertThat(sent()).containsExactly("SEND_ONLY PSN 1000+1, 1 bytes, acknowledge");
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ 0 SEND, 0 bytes",
            "REQ_ERR 1 SEND: LOCAL_PROT_ERR 0x51, QP 0x40 send WQE 1 (opcode SEND, ds 2): data"
                + " segment 0 (byte_count 8): lkey 0xbad00 does not name a memory key: no key has"
                + " index 0xbad (was the region closed?)");
  }

  @Test
  void aKeyThatEndsInTheMidstOfAMessageFailsIt() {
    LoneMemory memory = end.chip.memory(4096);
    MemoryKey key = memory.register(end.chip.keys(), new LoneKey().rights(MemoryKey.LOCAL_READ));
    end.route.room(1);
    postAndWork(Wqe.send().data(memory.address(0), 4096, memory.key()));
    end.chip.keys().remove(key);
    end.route.room(9);
    requester.work();
    assertThat(end.sendsCompleted().getFirst()).startsWith("REQ_ERR 0 SEND: LOCAL_PROT_ERR 0x51");
  }

  @Test
  void aRefusalOfAnEarlierRequestComesBeforeTheFaultOfALaterOne() {
    postAndWork(send(1), new Wqe(WqeOpcode.SET_PSV));
    nak(1000, Aeth.REMOTE_OPERATION_NAK);
    assertThat(end.sendsCompleted()).hasSize(1).first().asString().startsWith("REQ_ERR 0 SEND");
    requester.work();
    assertThat(end.sendsCompleted()).isEmpty();
  }

  @Test
  void anOverrunOfItsCqFailsTheQueuePair() {
    for (int i = 0; i < 256; i++) {
      end.sendCompletions.queue().completeRequest(1, 1, 0, 0, 0);
    }
    postAndWork(send(1), send(1));
    end.chip.takeEvents();
    ack(1001);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause())
        .isEqualTo("flushed, because QP 0x40 is in ERR: its send CQ 0x81 is overrun");
    assertThat(end.chip.takeEvents())
        .containsExactly("CQ_ERROR of 0x81 syndrome 1", "WQ_CATASTROPHIC of 0x40");
  }

  private void fillSendRequests() {
    for (int i = 0; i < 256; i++) {
      assertThat(end.sendCompletions.queue().completeRequest(1, 1, 0, 0, 0)).isTrue();
    }
  }

  @Test
  void aFailureThatFindsTheCqOverrunIsAnEvent() {
    fillSendRequests();
    postAndWork(new Wqe(WqeOpcode.SET_PSV));
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause()).contains("opcode SET_PSV is not supported");
    assertThat(end.chip.takeEvents())
        .containsExactly("CQ_ERROR of 0x81 syndrome 1", "WQ_CATASTROPHIC of 0x40");
  }

  @Test
  void aFlushThatFindsTheCqOverrunEnds() {
    fillSendRequests();
    post(send(1), send(1), send(1));
    assertThat(requester.flushPosted("the reason", 9)).isEqualTo(1);
  }

  // ---- flushing

  @Test
  void fetchedAndPostedRequestsAreFlushed() {
    end.route.room(1);
    postAndWork(send(1), send(2).control(ControlSegment.CE_ON_FIRST_ERROR), send(3).unsignalled());
    end.sends.post(write(4));
    requester.flushOutstanding("the reason");
    assertThat(end.sendsCompleted())
        .containsExactly("REQ_ERR 0 SEND: WR_FLUSH_ERR 0xf9, the reason");
    assertThat(requester.flushPosted("the reason", 9)).isEqualTo(2);
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 2 SEND: WR_FLUSH_ERR 0xf9, the reason",
            "REQ_ERR 3 RDMA_WRITE: WR_FLUSH_ERR 0xf9, the reason");
    assertThat(requester.flushPosted("the reason", 9)).isZero();
  }

  @Test
  void aTracedRequestIsRecordedWhole() {
    postAndWork(send(1));
    assertThat(end.chip.recorded())
        .containsExactly("QP 0x40 is now RTS", "QP 0x40 fetched WQE 0 SEND");
    end.chip.recorder().trace(true);
    postAndWork(send(2));
    assertThat(end.chip.recorded()).last().asString().startsWith("QP 0x40 fetched WQE 1 SEND\n");
  }

  @Test
  void aResetRequesterMayHaveAllItsReadsOnTheirWayAgain() {
    postAndWork(read(1), read(1), read(1), read(1));
    sent();
    requester.reset();
    restart();
    postAndWork(read(1), read(1), read(1), read(1));
    assertThat(sent()).hasSize(4);
    ack(1003);
    requester.work();
    assertThat(sent()).as("all four are asked for again").hasSize(4);
  }

  @Test
  void aResetRequesterForgetsAnswersAndFailures() {
    postAndWork(send(1), new Wqe(WqeOpcode.SET_PSV));
    nak(1000, Aeth.PSN_SEQUENCE_NAK);
    requester.noteDrop(0, "why");
    requester.reset();
    restart();
    postAndWork(send(1));
    for (int i = 1; i <= 4; i++) {
      passTo(i * TIMEOUT);
    }
    assertThat(end.sendsCompleted().getFirst())
        .endsWith("after 3 retries (retry_count); no answer ever came");
  }

  @Test
  void aResetRequesterSendsItsNextMessageFromTheStart() {
    end.route.room(1);
    postAndWork(send(8 * MTU));
    requester.reset();
    restart();
    end.route.room(9);
    sent();
    postAndWork(send(1));
    assertThat(sent()).containsExactly("SEND_ONLY PSN 1000+1, 1 bytes, acknowledge");
  }

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

  @Test
  void aResetRequesterForgetsItsRequests() {
    postAndWork(send(1), read(1));
    sent();
    requester.reset();
    end.sends.queue().reset();
    assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
    ack(1000);
    assertThat(end.sendsCompleted()).isEmpty();
    end.qpc.set(Qpc.NEXT_SEND_PSN, 77);
    restart();
    assertThat(requester.nextPsn()).isEqualTo(77);
  }
}
