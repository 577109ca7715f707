package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
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
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requester of a reliable connection: what it sends and when, and how its requests end. */
class RcRequesterTest extends RequesterRig {
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
  void ofDroppedAnswersOnlyTheFirstIsDescribed() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    postAndWork(send(1));
    Packet answer = end.packet(ServiceType.RC, BthOpcode.ACKNOWLEDGE, PSN);
    answer.sourceGidLow++;
    LongSupplier trial =
        () -> {
          long before = threads.getCurrentThreadAllocatedBytes();
          for (int i = 0; i < 100; i++) {
            requester.receive(answer);
          }
          return threads.getCurrentThreadAllocatedBytes() - before;
        };
    assertThat(Trials.leastBytes(trial)).isZero();
    for (int i = 1; i <= 4; i++) {
      passTo(i * TIMEOUT);
    }
    assertThat(end.sendsCompleted().getFirst()).contains("answers came, but were dropped: QP 0x40");
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
