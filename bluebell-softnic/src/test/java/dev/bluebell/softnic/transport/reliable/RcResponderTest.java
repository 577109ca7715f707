package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneKey;
import dev.bluebell.softnic.translation.MemoryKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The responder of a reliable connection: how it executes each request. */
class RcResponderTest extends ResponderRig {
  // ---- SENDs

  @Test
  void aSendLandsInAReceiveAndIsAcknowledged() {
    end.receives.post(buffer, 10, 100);
    send(BthOpcode.SEND_ONLY, PSN, 5);
    assertThat(buffer.bytes(9, 7)).containsExactly(0, 1, 2, 3, 4, 5, 0);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 5 bytes");
    expectAck(1000, 1);
    assertThat(responder.expectedPsn()).isEqualTo(1001);
    assertThat(answers()).isEmpty();
  }

  @Test
  void aRequestWakesTheQueuePair() {
    end.chip.takeTurns();
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    assertThat(end.chip.takeTurns()).isEqualTo(1);
  }

  @Test
  void aSendInPiecesIsOneMessage() {
    end.receives.post(buffer, 0, 1000);
    send(BthOpcode.SEND_FIRST, PSN, 2 * MTU);
    assertThat(answers()).isEmpty();
    send(BthOpcode.SEND_MIDDLE, PSN + 2, MTU);
    assertThat(end.receivesCompleted()).isEmpty();
    send(BthOpcode.SEND_LAST, PSN + 3, 10);
    assertThat(buffer.bytes(0, 2 * MTU)).isEqualTo(data.bytes(0, 2 * MTU));
    assertThat(buffer.bytes(2 * MTU, MTU)).isEqualTo(data.bytes(0, MTU));
    assertThat(buffer.bytes(3 * MTU, 11)).startsWith(data.bytes(0, 10)).endsWith(0);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 778 bytes");
    expectAck(1003, 1);
  }

  @Test
  void immediateAndSolicitedReachTheCompletion() {
    end.receives.post(buffer, 0, 100);
    Packet request = request(BthOpcode.SEND_ONLY_IMMEDIATE, PSN, 3);
    request.immediate = 0x1234;
    request.solicited = true;
    responder.receive(request);
    assertThat(end.receivesCompleted())
        .containsExactly("RESP_SEND_IMM 0, 3 bytes, immediate 0x1234, solicited");
  }

  @Test
  void aSendMayInvalidateAKey() {
    MemoryKey key = memory.register(end.chip.keys(), new LoneKey().rights(REMOTE).invalidatable());
    end.receives.post(buffer, 0, 100);
    Packet request = request(BthOpcode.SEND_ONLY_INVALIDATE, PSN, 0);
    request.immediate = key.key();
    responder.receive(request);
    assertThat(end.receivesCompleted())
        .containsExactly("RESP_SEND_INV 0, 0 bytes, immediate 0x%x".formatted(key.key()));
    assertThat(key.rights()).isZero();
  }

  @Test
  void aKeyThatMayNotBeInvalidatedIsARemoteAccessError() {
    end.receives.post(buffer, 0, 100);
    Packet request = request(BthOpcode.SEND_ONLY_INVALIDATE, PSN, 0);
    request.immediate = memory.key();
    responder.receive(request);
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x was registered without REMOTE_INVALIDATE (en_rinval), so no peer may invalidate it"
            .formatted(memory.key()));
    assertThat(end.receivesCompleted().getFirst())
        .startsWith(
            "RESP_ERR 0: LOCAL_ACCESS_ERR 0x00, QP 0x40 refused the request at PSN 0x0003e8:");
  }

  @Test
  void aSendLongerThanItsReceiveIsRefused() {
    end.receives.post(buffer, 0, 99);
    send(BthOpcode.SEND_ONLY, PSN, 100);
    expectRefusal(
        1000,
        0x61,
        "a message of 100 bytes (its byte_counts together) does not fit the 99 bytes of the receive"
            + " WQE's scatter list");
    assertThat(end.receivesCompleted().getFirst()).startsWith("RESP_ERR 0: LOCAL_LENGTH_ERR 0x00");
    assertThat(buffer.bytes(0, 1)).containsExactly(0);
  }

  @Test
  void aReceiveMayBeFull() {
    end.receives.post(buffer, 0, 100);
    send(BthOpcode.SEND_ONLY, PSN, 100);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 100 bytes");
  }

  @Test
  void aPieceBeyondTheReceiveIsRefused() {
    end.receives.post(buffer, 0, MTU + 5);
    send(BthOpcode.SEND_FIRST, PSN, MTU);
    send(BthOpcode.SEND_MIDDLE, PSN + 1, MTU);
    expectRefusal(
        1001,
        0x61,
        "a message of at least 512 bytes (its byte_counts together) does not fit the 261 bytes of"
            + " the receive WQE's scatter list");
  }

  @Test
  void aReceiveWithABadKeyIsARemoteOperationError() {
    end.receives.post(DataSegment.first(100, 0xbad00), 0x1000);
    send(BthOpcode.SEND_ONLY, PSN, 1);
    expectRefusal(
        1000,
        0x63,
        "data segment 0 (byte_count 100): lkey 0xbad00 does not name a memory key: no key has index"
            + " 0xbad (was the region closed?)");
    assertThat(end.receivesCompleted().getFirst()).startsWith("RESP_ERR 0: LOCAL_PROT_ERR 0x32");
  }

  @Test
  void anOverrunReceiveQueueIsARemoteOperationError() {
    end.receives.setRecord(129);
    send(BthOpcode.SEND_ONLY, PSN, 1);
    end.chip.takeEvents();
    expectRefusal(
        1000,
        0x63,
        "the doorbell record's receive counter of QP 0x40 claims more WQEs than the 128 that the"
            + " ring has");
    assertThat(end.receivesCompleted())
        .singleElement()
        .asString()
        .startsWith("RESP_ERR 0: LOCAL_QP_OP_ERR 0xd6");
    assertThat(end.chip.takeEvents()).isEmpty();
  }

  @Test
  void anOverrunCqEndsTheConnectionWithoutANak() {
    for (int i = 0; i < 256; i++) {
      end.receiveCompletions.queue().completeRequest(1, 1, 0, 0, 0);
    }
    end.receives.post(buffer, 0, 100);
    send(BthOpcode.SEND_ONLY, PSN, 1);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause())
        .isEqualTo("flushed, because QP 0x40 is in ERR: its receive CQ 0x82 is overrun");
    assertThat(answers()).isEmpty();
    assertThat(responder.expectedPsn()).isEqualTo(1000);
    assertThat(end.chip.takeEvents())
        .containsExactly("CQ_ERROR of 0x82 syndrome 1", "WQ_CATASTROPHIC of 0x40");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOverrunCqEndsAWriteWithImmediate(boolean whole) {
    for (int i = 0; i < 256; i++) {
      end.receiveCompletions.queue().completeRequest(1, 1, 0, 0, 0);
    }
    end.receives.post(buffer, 0, 100);
    if (whole) {
      write(BthOpcode.WRITE_ONLY_IMMEDIATE, PSN, 1, 0, 1);
      assertThat(responder.expectedPsn()).isEqualTo(1000);
    } else {
      write(BthOpcode.WRITE_FIRST, PSN, MTU, 0, MTU + 1);
      send(BthOpcode.WRITE_LAST_IMMEDIATE, PSN + 1, 1);
      assertThat(responder.expectedPsn()).isEqualTo(1001);
    }
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
  }

  // ---- the receiver is not ready

  @Test
  void aWriteWithImmediateNeedsAReceive() {
    write(BthOpcode.WRITE_ONLY_IMMEDIATE, PSN, 4, 0, 4);
    assertThat(memory.bytes(0, 1)).containsExactly(0);
    assertThat(answers()).containsExactly("ACKNOWLEDGE PSN 1000+1, syndrome 0x2c, MSN 0");
  }

  @Test
  void theEndOfAWriteWithImmediateWaitsForAReceiveAndItsBeginningStays() {
    write(BthOpcode.WRITE_FIRST, PSN, MTU, 0, MTU + 3);
    Packet last = request(BthOpcode.WRITE_LAST_IMMEDIATE, PSN + 1, 3);
    last.immediate = 0x77;
    for (int i = 0; i < 2; i++) {
      responder.receive(last);
      assertThat(answers()).containsExactly("ACKNOWLEDGE PSN 1001+1, syndrome 0x2c, MSN 0");
      assertThat(memory.bytes(0, MTU)).isEqualTo(data.bytes(0, MTU));
      assertThat(memory.bytes(MTU, 3)).containsOnly(0);
    }
    end.receives.post(buffer, 0, 1).post(buffer, 0, 1);
    for (int i = 0; i < 2; i++) {
      responder.receive(last);
      expectAck(1001, 1);
    }
    assertThat(memory.bytes(MTU, 4)).containsExactly(1, 2, 3, 0);
    assertThat(end.receivesCompleted()).containsExactly("RESP_WR_IMM 0, 259 bytes, immediate 0x77");
  }

  // ---- RDMA WRITEs

  @Test
  void aWriteLandsAtItsAddress() {
    write(BthOpcode.WRITE_ONLY, PSN, 5, 10, 5);
    assertThat(memory.bytes(9, 7)).containsExactly(0, 1, 2, 3, 4, 5, 0);
    expectAck(1000, 1);
    assertThat(end.receivesCompleted()).isEmpty();
  }

  @Test
  void aWriteInPiecesContinuesWhereItWas() {
    write(BthOpcode.WRITE_FIRST, PSN, MTU, 10, 2 * MTU + 3);
    send(BthOpcode.WRITE_MIDDLE, PSN + 1, MTU);
    send(BthOpcode.WRITE_LAST, PSN + 2, 3);
    assertThat(memory.bytes(10, MTU)).isEqualTo(data.bytes(0, MTU));
    assertThat(memory.bytes(10 + MTU, MTU)).isEqualTo(data.bytes(0, MTU));
    assertThat(memory.bytes(10 + 2 * MTU, 4)).containsExactly(1, 2, 3, 0);
    expectAck(1002, 1);
  }

  @Test
  void anEmptyWriteNeedsNoKey() {
    Packet write = request(BthOpcode.WRITE_ONLY, PSN, 0);
    write.rkey = 0xbad00;
    responder.receive(write);
    expectAck(1000, 1);
  }

  @Test
  void aWriteWithImmediateCompletesAReceiveWithItsLength() {
    end.receives.post(buffer, 0, 1).post(buffer, 0, 1);
    Packet write = writeRequest(BthOpcode.WRITE_ONLY_IMMEDIATE, PSN, 9, 0, 9);
    write.immediate = 0x77;
    write.solicited = true;
    responder.receive(write);
    write(BthOpcode.WRITE_FIRST, PSN + 1, MTU, 0, MTU + 1);
    Packet last = request(BthOpcode.WRITE_LAST_IMMEDIATE, PSN + 2, 1);
    last.immediate = 0x78;
    responder.receive(last);
    assertThat(end.receivesCompleted())
        .containsExactly(
            "RESP_WR_IMM 0, 9 bytes, immediate 0x77, solicited",
            "RESP_WR_IMM 1, 257 bytes, immediate 0x78");
    assertThat(buffer.bytes(0, 1)).containsExactly(0);
  }

  @Test
  void withoutRweAWriteIsRefused() {
    end.qpc.set(Qpc.RWE, false);
    restart();
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    String sentence =
        "opcode RDMA_WRITE needs rwe, which QP 0x40 does not have (IBV_ACCESS_REMOTE_WRITE in its"
            + " qp_access_flags)";
    expectRefusal(1000, 0x61, sentence);
    assertThat(end.chip.takeEvents()).containsExactly("WQ_INVALID_REQUEST of 0x40");
    assertThat(end.chip.explained())
        .containsExactly("QP 0x40 refused the request at PSN 0x0003e8: " + sentence);
  }

  @ParameterizedTest
  @ValueSource(ints = {BthOpcode.WRITE_ONLY, BthOpcode.WRITE_FIRST})
  void aWriteBeyondItsRegionIsRefused(int operation) {
    int bytes = MTU;
    write(operation, PSN, bytes, (1 << 13) - 5, bytes);
    expectRefusal(
        1000,
        0x62,
        "address 0x%x with byte_count 256 reaches outside the region of rkey 0x%x, which is [0x%x, 0x%x)"
            .formatted(
                memory.address((1 << 13) - 5),
                memory.key(),
                memory.address(0),
                memory.address(1 << 13)));
    assertThat(end.chip.takeEvents()).containsExactly("WQ_ACCESS_ERROR of 0x40");
  }

  @Test
  void aKeyThatEndsInTheMidstOfAWriteRefusesTheRest() {
    write(BthOpcode.WRITE_FIRST, PSN, MTU, 0, 2 * MTU);
    end.chip.keys().remove(end.chip.keys().find(memory.key()));
    send(BthOpcode.WRITE_LAST, PSN + 1, MTU);
    responder.respond();
    assertThat(end.route.take().getLast())
        .hasToString("ACKNOWLEDGE PSN 1001+1, syndrome 0x62, MSN 0");
    assertThat(memory.bytes(0, MTU)).isEqualTo(data.bytes(0, MTU));
    assertThat(memory.bytes(MTU, MTU)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({"5, 6", "5, 4", "5, 0"})
  void aWriteWithAFalseLengthIsRefused(int bytes, int length) {
    write(BthOpcode.WRITE_ONLY, PSN, bytes, 0, length);
    expectRefusal(
        1000,
        0x61,
        "an RDMA WRITE carries %d bytes, but its length says %d".formatted(bytes, length));
  }

  @ParameterizedTest
  @CsvSource({"260, 261", "260, 259"})
  void aWriteInPiecesWithAFalseLengthIsRefused(int bytes, int length) {
    write(BthOpcode.WRITE_FIRST, PSN, MTU, 0, length);
    send(BthOpcode.WRITE_LAST, PSN + 1, bytes - MTU);
    expectRefusal(
        1001,
        0x61,
        "an RDMA WRITE carries %d bytes, but its length says %d".formatted(bytes, length));
  }

  @Test
  void aMiddlePieceBeyondTheLengthIsRefused() {
    write(BthOpcode.WRITE_FIRST, PSN, MTU, 0, MTU + 1);
    send(BthOpcode.WRITE_MIDDLE, PSN + 1, MTU);
    expectRefusal(1001, 0x61, "an RDMA WRITE carries 512 bytes, but its length says 257");
  }

  // ---- order and size

  @ParameterizedTest
  @CsvSource({
    "SEND, 2, continues, none is",
    "SEND, 1, continues, none is",
    "RDMA_WRITE, 8, continues, none is",
    "RDMA_WRITE, 7, continues, none is",
  })
  void aPieceWithoutABeginningIsRefused(String name, int operation, String what, String why) {
    end.receives.post(buffer, 0, 1000);
    send(operation, PSN, MTU);
    expectRefusal(
        1000, 0x61, "opcode %s %s a message while %s arriving".formatted(name, what, why));
  }

  @ParameterizedTest
  @CsvSource({
    "SEND, 0, starts",
    "SEND, 4, starts",
    "RDMA_WRITE, 6, starts",
    "RDMA_WRITE, 7, continues",
    "RDMA_READ, 12, starts",
    "ATOMIC_FA, 20, starts",
  })
  void aRequestInsideASendIsRefused(String name, int operation, String what) {
    end.receives.post(buffer, 0, 1000).post(buffer, 0, 1000);
    send(BthOpcode.SEND_FIRST, PSN, MTU);
    send(operation, PSN + 1, BthOpcode.isAnswered(operation) ? 0 : MTU);
    expectRefusal(
        1001, 0x61, "opcode %s %s a message while another is arriving".formatted(name, what));
    assertThat(end.receivesCompleted().getFirst()).startsWith("RESP_ERR 0: LOCAL_QP_OP_ERR 0x00");
  }

  @ParameterizedTest
  @CsvSource({
    "SEND, 1, continues",
    "SEND, 4, starts",
    "RDMA_WRITE, 10, starts",
    "RDMA_READ, 12, starts",
    "ATOMIC_FA, 20, starts",
  })
  void aRequestInsideAWriteIsRefused(String name, int operation, String what) {
    write(BthOpcode.WRITE_FIRST, PSN, MTU, 0, 2 * MTU);
    send(operation, PSN + 1, BthOpcode.isAnswered(operation) ? 0 : MTU);
    expectRefusal(
        1001, 0x61, "opcode %s %s a message while another is arriving".formatted(name, what));
  }

  @ParameterizedTest
  @CsvSource({
    "4, 1, 257, 257",
    "4, 2, 256, 128",
    "4, 0, 0, 0",
    "0, 1, 255, 255",
    "0, 1, 257, 257",
    "0, 0, 0, 0",
    "0, 2, 256, 128",
    "0, 16, 16384, 1024",
    "4, 3, 2049, 1024",
  })
  void aRequestThatDoesNotFitThePathMtuIsRefused(int operation, int packets, int bytes, int each) {
    Packet request = request(operation, PSN, bytes);
    request.packets = packets;
    responder.receive(request);
    expectRefusal(
        1000,
        0x61,
        "SEND came with %d bytes in a packet, but the path MTU of QP 0x40 is 256: set the same path MTU at both ends"
            .formatted(each));
  }

  @Test
  void anEmptyLastPieceIsRefused() {
    end.receives.post(buffer, 0, 1000);
    send(BthOpcode.SEND_FIRST, PSN, MTU);
    send(BthOpcode.SEND_LAST, PSN + 1, 0);
    responder.respond();
    assertThat(end.route.take().getLast())
        .hasToString("ACKNOWLEDGE PSN 1001+1, syndrome 0x61, MSN 0");
  }

  @ParameterizedTest
  @CsvSource({"21, 0x15", "24, 0x18"})
  void anUnknownOpcodeIsRefused(int operation, String name) {
    send(operation, PSN, 0);
    expectRefusal(
        1000, 0x61, "opcode %s is not supported by a queue pair of service RC".formatted(name));
  }

  // ---- PSNs

  /** Half of all PSNs are behind the expected one, which is 2^23 + 1000 here. */
  @ParameterizedTest
  @CsvSource({"0x7fffff, ACKNOWLEDGE, 0x1f", "0x800000, ACKNOWLEDGE, 0x1f", "0x800001, gap, 0x60"})
  void aRequestThatIsHalfOfAllPsnsOldIsNotExecuted(String behind, String kind, String syndrome) {
    end.qpc.set(Qpc.NEXT_RCV_PSN, 0x800000 + PSN);
    restart();
    write(BthOpcode.WRITE_ONLY, 0x800000 + PSN - Integer.decode(behind), 1, 0, 1);
    assertThat(memory.bytes(0, 1)).containsExactly(0);
    assertThat(responder.expectedPsn()).isEqualTo(0x800000 + PSN);
    int psn = 0x800000 + PSN - (kind.equals("gap") ? 0 : 1);
    assertThat(answers())
        .containsExactly("ACKNOWLEDGE PSN %d+1, syndrome %s, MSN 0".formatted(psn, syndrome));
  }

  @Test
  void psnsWrap() {
    end.qpc.set(Qpc.NEXT_RCV_PSN, 0xffffff);
    restart();
    write(BthOpcode.WRITE_ONLY, 0xffffff, 300, 0, 300);
    expectAck(0, 1);
    assertThat(responder.expectedPsn()).isEqualTo(1);
  }

  // ---- accepted requesters and states

  @Test
  void aStrangersRequestIsDropped() {
    Packet forged = writeRequest(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    forged.sourceQpn = 0x99;
    assertThat(responder.receive(forged))
        .isEqualTo(
            "QP 0x40 is connected to QP 0x50 (remote_qpn), not to QP 0x99, which sent the request");
    assertThat(memory.bytes(0, 1)).containsExactly(0);
    assertThat(end.chip.recorded()).last().isEqualTo("QP 0x40 dropped a packet, PSN 0x0003e8");
    assertThat(answers()).isEmpty();
  }

  @Test
  void requestsAreTakenFromRtrOn() {
    end.life.enter(QpState.INIT);
    assertThat(responder.receive(writeRequest(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1)))
        .isEqualTo("QP 0x40 is in INIT and takes no requests");
    end.life.enter(QpState.RTR);
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    assertThat(end.chip.takeEvents()).containsExactly("COMMUNICATION_ESTABLISHED of 0x40");
    expectAck(1000, 1);
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    assertThat(end.chip.takeEvents()).isEmpty();
  }

  @Test
  void aRequestAheadDoesNotEstablishTheConnection() {
    end.life.enter(QpState.RTR);
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    assertThat(end.chip.takeEvents()).isEmpty();
  }

  // ---- the end

  @Test
  void theReceiveOfAMessageThatWasArrivingIsFlushed() {
    end.receives.post(buffer, 0, 1000);
    send(BthOpcode.SEND_FIRST, PSN, MTU);
    responder.flushHeld("the reason");
    assertThat(end.receivesCompleted())
        .containsExactly("RESP_ERR 0: WR_FLUSH_ERR 0xf9, the reason");
    responder.flushHeld("the reason");
    assertThat(end.receivesCompleted()).isEmpty();
  }

  @Test
  void aResetResponderForgetsItsState() {
    end.receives.post(buffer, 0, 1000).post(buffer, 0, 1000);
    read(PSN, 0, 4);
    send(BthOpcode.SEND_FIRST, PSN + 1, MTU);
    responder.reset();
    restart();
    assertThat(answers()).isEmpty();
    responder.flushHeld("the reason");
    assertThat(end.receivesCompleted()).isEmpty();
    send(BthOpcode.SEND_ONLY, PSN, 1);
    expectAck(1000, 1);
  }

  // ---- requests that cut through

  private boolean awaits(int psn) {
    return responder.awaits(end.peer(), LoneEnd.REMOTE_QPN, psn);
  }

  @Test
  void whenNothingIsToBeAnsweredTheNextRequestIsAwaited() {
    assertThat(awaits(PSN)).isTrue();
    assertThat(awaits(PSN + 1)).isFalse();
    assertThat(responder.awaits(end.peer(), 0x51, PSN)).isFalse();
    // Its own requests come from another GID than the peer's.
    assertThat(responder.awaits(end.connection, LoneEnd.REMOTE_QPN, PSN)).isFalse();
  }

  @Test
  void passedRequestsAreCounted() {
    responder.passed(3, PSN + 5);
    assertThat(responder.expectedPsn()).isEqualTo(PSN + 5);
    write(BthOpcode.WRITE_ONLY, PSN + 5, 1, 0, 1);
    expectAck(PSN + 5, 4);
    responder.passed(0xffffff, PSN + 6);
    write(BthOpcode.WRITE_ONLY, PSN + 6, 1, 0, 1);
    expectAck(PSN + 6, 4);
  }

  @Test
  void inRtrNothingIsAwaitedBeforeTheConnectionIsEstablished() {
    end.life.enter(QpState.RTR);
    assertThat(awaits(PSN)).isFalse();
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    answers();
    assertThat(awaits(PSN + 1)).isTrue();
    end.life.enter(QpState.SQD);
    assertThat(awaits(PSN + 1)).isFalse();
  }

  @Test
  void whileSomethingIsToBeAnsweredNothingIsAwaited() {
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    assertThat(awaits(PSN + 1)).as("an acknowledgement").isFalse();
    answers();
    assertThat(awaits(PSN + 1)).isTrue();
    read(PSN + 1, 0, 1);
    assertThat(awaits(PSN + 2)).as("a READ").isFalse();
    answers();
    send(BthOpcode.SEND_ONLY, PSN + 2, 1);
    assertThat(awaits(PSN + 2)).as("an RNR NAK").isFalse();
    answers();
    assertThat(awaits(PSN + 2)).isTrue();
    write(BthOpcode.WRITE_FIRST, PSN + 2, MTU, 0, 2 * MTU);
    assertThat(awaits(PSN + 3)).as("a message that is arriving").isFalse();
    write(BthOpcode.WRITE_LAST, PSN + 3, MTU, 0, 0);
    answers();
    assertThat(awaits(PSN + 4)).isTrue();
    write(BthOpcode.WRITE_ONLY, PSN + 9, 1, 0, 1);
    assertThat(awaits(PSN + 4)).as("a gap").isFalse();
    answers();
    write(BthOpcode.WRITE_ONLY, PSN + 4, 1, 0, 2);
    assertThat(awaits(PSN + 4)).as("a refusal").isFalse();
  }

  @Test
  void aResetResponderOwesNoAnswer() {
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 2);
    responder.reset();
    restart();
    assertThat(answers()).isEmpty();
    send(BthOpcode.SEND_ONLY, PSN, 1);
    responder.reset();
    restart();
    assertThat(answers()).isEmpty();
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    responder.reset();
    restart();
    assertThat(answers()).isEmpty();
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    responder.reset();
    restart();
    assertThat(answers()).isEmpty();
  }
}
