package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneKey;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Sent;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The responder of a reliable connection: how it executes each request, and how it responds. */
class RcResponderTest {
  private static final int PSN = LoneEnd.PSN;
  private static final int MTU = LoneEnd.MTU;
  private static final int REMOTE =
      MemoryKey.REMOTE_READ | MemoryKey.REMOTE_WRITE | MemoryKey.REMOTE_ATOMIC;

  private final LoneEnd end = new LoneEnd(ServiceType.RC);
  private final LoneMemory buffer = end.chip.memory(1 << 13, MemoryKey.LOCAL_WRITE);
  private final LoneMemory memory = end.chip.memory(1 << 13, REMOTE);
  private final LoneMemory data = end.chip.memory(1 << 13).count(0, 1 << 13);
  private final RcResponder responder = new RcResponder(end.both(), end.source, null, null);

  @BeforeEach
  void connect() {
    restart();
  }

  private void restart() {
    end.connect();
    responder.start(end.qpc);
    responder.configure(end.qpc);
  }

  // ---- requests

  private Packet request(int operation, int psn, int bytes) {
    Packet request = end.packet(ServiceType.RC, operation, psn);
    request.acknowledge = BthOpcode.isLast(operation);
    request.packets = Math.max(1, (bytes + MTU - 1) / MTU);
    return LoneEnd.carrying(request, data, 0, bytes);
  }

  private void send(int operation, int psn, int bytes) {
    assertThat(responder.receive(request(operation, psn, bytes))).isEmpty();
  }

  private Packet writeRequest(int operation, int psn, int bytes, long offset, long length) {
    Packet write = request(operation, psn, bytes);
    write.address = memory.address(offset);
    write.rkey = memory.key();
    write.length = length;
    return write;
  }

  private void write(int operation, int psn, int bytes, long offset, long length) {
    assertThat(responder.receive(writeRequest(operation, psn, bytes, offset, length))).isEmpty();
  }

  private Packet readRequest(int psn, long offset, long length) {
    Packet read = request(BthOpcode.READ_REQUEST, psn, 0);
    read.address = memory.address(offset);
    read.rkey = memory.key();
    read.length = length;
    return read;
  }

  private void read(int psn, long offset, long length) {
    assertThat(responder.receive(readRequest(psn, offset, length))).isEmpty();
  }

  private void atomic(int operation, int psn, long offset, long swapAdd, long compare) {
    Packet atomic = readRequest(psn, offset, 8);
    atomic.opcode = operation;
    atomic.swapAdd = swapAdd;
    atomic.compare = compare;
    assertThat(responder.receive(atomic)).isEmpty();
  }

  private List<String> answers() {
    responder.respond();
    return end.route.texts();
  }

  private void expectAck(int psn, int msn) {
    assertThat(answers())
        .containsExactly("ACKNOWLEDGE PSN %d+1, syndrome 0x1f, MSN %d".formatted(psn, msn));
  }

  /** Expects the NAK of a refusal, which ends the connection. */
  private void expectRefusal(int psn, int code, String why) {
    responder.respond();
    Sent nak = end.route.take().getLast();
    assertThat(nak.toString())
        .startsWith("ACKNOWLEDGE PSN %d+1, syndrome 0x%02x".formatted(psn, code));
    String sentence = "QP 0x40 refused the request at PSN 0x%06x: %s".formatted(psn, why);
    assertThat(nak.headers().explanation).isEqualTo(sentence);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause()).isEqualTo("flushed, because QP 0x40 is in ERR: " + sentence);
    assertThat(responder.respond()).isZero();
  }

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

  @Test
  void aSendInsideAWriteIsRefused() {
    write(BthOpcode.WRITE_FIRST, PSN, MTU, 0, 2 * MTU);
    send(BthOpcode.SEND_MIDDLE, PSN + 1, MTU);
    expectRefusal(1001, 0x61, "opcode SEND continues a message while another is arriving");
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

  // ---- READs

  @Test
  void aReadIsAnsweredWithItsData() {
    memory.count(0, 100);
    read(PSN, 1, 5);
    responder.respond();
    Sent answer = end.route.take().getFirst();
    assertThat(answer).hasToString("READ_RESPONSE_ONLY PSN 1000+1, 5 bytes, MSN 1");
    assertThat(answer.data()).containsExactly(2, 3, 4, 5, 6);
    assertThat(answers()).isEmpty();
    assertThat(responder.expectedPsn()).isEqualTo(1001);
  }

  @Test
  void aLongReadIsAnsweredInTrains() {
    memory.count(0, 1 << 13);
    read(PSN, 0, 9 * MTU + 1);
    assertThat(responder.respond()).isEqualTo(3);
    List<Sent> answers = end.route.take();
    assertThat(answers)
        .hasToString(
            "[READ_RESPONSE_FIRST PSN 1000+4, 1024 bytes, MSN 1, READ_RESPONSE_MIDDLE PSN 1004+4,"
                + " 1024 bytes, MSN 1, READ_RESPONSE_LAST PSN 1008+2, 257 bytes, MSN 1]");
    assertThat(answers.get(1).data()).isEqualTo(memory.bytes(4 * MTU, 4 * MTU));
    assertThat(responder.expectedPsn()).isEqualTo(1010);
  }

  @Test
  void anEmptyReadNeedsNoKey() {
    Packet read = readRequest(PSN, 0, 0);
    read.rkey = 0xbad00;
    responder.receive(read);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1000+1, 0 bytes, MSN 1");
  }

  @Test
  void theAnswerOfAReadAcknowledgesEarlierRequests() {
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    read(PSN + 1, 0, 4);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+1, 4 bytes, MSN 2");
  }

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

  @Test
  void withoutRreAReadIsRefused() {
    end.qpc.set(Qpc.RRE, false);
    restart();
    read(PSN, 0, 4);
    expectRefusal(
        1000,
        0x61,
        "opcode RDMA_READ needs rre, which QP 0x40 does not have (IBV_ACCESS_REMOTE_READ in its"
            + " qp_access_flags, which takes effect only if max_dest_rd_atomic is above 0)");
  }

  @Test
  void aReadWithoutTheKeysRightIsRefused() {
    memory.register(end.chip.keys(), new LoneKey().rights(MemoryKey.REMOTE_WRITE));
    read(PSN, 0, 4);
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x does not grant REMOTE_READ: it was registered with REMOTE_WRITE"
            .formatted(memory.key()));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, (1L << 30) + 1})
  void aReadOfMoreThanAMessageIsRefused(long length) {
    read(PSN, 0, length);
    expectRefusal(
        1000,
        0x61,
        "a READ asks for %d bytes, more than the 2^30 bytes of a message".formatted(length));
  }

  @Test
  void aReadWhoseKeyIsDestroyedBeforeTheAnswerIsRefused() {
    read(PSN, 0, 8 * MTU);
    end.route.room(1);
    responder.respond();
    end.chip.keys().remove(end.chip.keys().find(memory.key()));
    end.route.room(9);
    end.route.take();
    expectRefusal(
        1004,
        0x62,
        "rkey 0x%x does not name a memory key: no key has index 0x%x (was the region closed?)"
            .formatted(memory.key(), memory.key() >>> 8));
  }

  @Test
  void aReadThatFailsFlushesTheReceiveOfALaterSend() {
    end.receives.post(buffer, 0, 1000);
    read(PSN, 0, 8);
    send(BthOpcode.SEND_FIRST, PSN + 1, MTU);
    end.chip.keys().remove(end.chip.keys().find(memory.key()));
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x does not name a memory key: no key has index 0x%x (was the region closed?)"
            .formatted(memory.key(), memory.key() >>> 8));
    assertThat(end.receivesCompleted())
        .singleElement()
        .asString()
        .startsWith("RESP_ERR 0: WR_FLUSH_ERR 0xf9, QP 0x40 refused the request at PSN 0x0003e8");
    assertThat(end.chip.takeEvents()).containsExactly("WQ_ACCESS_ERROR of 0x40");
  }

  @Test
  void noMoreReadsAreServedThanTheContextSays() {
    for (int i = 0; i < 4; i++) {
      read(PSN + i, 0, 4);
    }
    read(PSN + 4, 0, 4);
    expectRefusal(
        1004,
        0x61,
        "more READs and atomics are outstanding than the 4 that it serves (2^log_rra_max): the"
            + " requester's log_sra_max (max_rd_atomic) must not be larger");
  }

  @Test
  void aTurnAnswersAQuarterOfAMegabyte() {
    LoneMemory large = end.chip.memory(1 << 20, MemoryKey.REMOTE_READ);
    Packet read = readRequest(PSN, 0, 1 << 20);
    read.address = large.address(0);
    read.rkey = large.key();
    responder.receive(read);
    assertThat(responder.respond()).isEqualTo(256);
    assertThat(end.route.take()).hasSize(256);
  }

  // ---- duplicates of answered requests

  @Test
  void aDuplicateReadIsAnsweredAgain() {
    read(PSN, 0, 4);
    answers();
    memory.count(0, 4);
    read(PSN, 0, 4);
    responder.respond();
    Sent again = end.route.take().getFirst();
    assertThat(again).hasToString("READ_RESPONSE_ONLY PSN 1000+1, 4 bytes, MSN 1");
    assertThat(again.data()).containsExactly(1, 2, 3, 4);
    assertThat(responder.expectedPsn()).isEqualTo(1001);
  }

  @Test
  void aReadCanBeAskedForAgainFromItsMiddle() {
    memory.count(0, 1 << 12);
    read(PSN, 0, 6 * MTU);
    answers();
    read(PSN + 3, 3 * MTU, 3 * MTU);
    responder.respond();
    List<Sent> again = end.route.take();
    assertThat(again).hasToString("[READ_RESPONSE_ONLY PSN 1003+3, 768 bytes, MSN 1]");
    assertThat(again.getFirst().data()).isEqualTo(memory.bytes(3 * MTU, 3 * MTU));
  }

  @Test
  void aReadThatIsAskedForAgainIsAnsweredAlone() {
    read(PSN, 0, 1);
    read(PSN + 1, 0, 2);
    read(PSN + 2, 0, 3);
    answers();
    read(PSN + 1, 0, 2);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+1, 2 bytes, MSN 3");
  }

  @Test
  void aRepeatedReadIsAnsweredOnlyInTheRequestedRange() {
    read(PSN, 0, 6 * MTU);
    answers();
    read(PSN + 1, MTU, 2 * MTU);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+2, 512 bytes, MSN 1");
    read(PSN + 1, MTU, 6 * MTU);
    assertThat(answers()).isEmpty();
    read(PSN + 1, 2 * MTU, 2 * MTU);
    assertThat(answers()).isEmpty();
  }

  @Test
  void aDuplicateThatIsNotRememberedIsDropped() {
    for (int i = 0; i < 5; i++) {
      read(PSN + i, 0, 4);
      answers();
    }
    read(PSN, 0, 4);
    assertThat(answers()).isEmpty();
    assertThat(end.chip.recorded()).last().isEqualTo("QP 0x40 dropped a packet, PSN 0x0003e8");
    read(PSN + 1, 0, 4);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+1, 4 bytes, MSN 5");
  }

  @Test
  void aDuplicateWithAnotherKeyOrOpcodeIsDropped() {
    read(PSN, 0, 8);
    answers();
    Packet forged = readRequest(PSN, 0, 8);
    forged.rkey++;
    responder.receive(forged);
    assertThat(answers()).isEmpty();
    atomic(BthOpcode.FETCH_ADD, PSN, 0, 1, 0);
    assertThat(answers()).isEmpty();
  }

  @Test
  void aDuplicateBehindTheEndOfAReadIsDropped() {
    read(PSN, 0, 8);
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    answers();
    read(PSN + 1, 0, 8);
    assertThat(answers()).isEmpty();
  }

  @Test
  void aDuplicateAtomicIsAnsweredAgainAndNotExecuted() {
    Memory.putNativeLong(memory.address(8), 40);
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1000+1, result 40, MSN 1");
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1000+1, result 40, MSN 1");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(42);
  }

  @Test
  void aDuplicateAtomicThatIsNotRememberedIsNeitherExecutedNorAnswered() {
    for (int i = 0; i < 5; i++) {
      atomic(BthOpcode.FETCH_ADD, PSN + i, 8, 1, 0);
      answers();
    }
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 1, 0);
    assertThat(answers()).isEmpty();
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(5);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 1, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1001+1, result 1, MSN 5");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(5);
  }

  // ---- atomics

  @Test
  void aSwapHappensWhenTheValueIsTheOneCompared() {
    Memory.putNativeLong(memory.address(8), 40);
    atomic(BthOpcode.COMPARE_SWAP, PSN, 8, 7, 41);
    atomic(BthOpcode.COMPARE_SWAP, PSN + 1, 8, 7, 40);
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, -8, 0);
    assertThat(answers())
        .containsExactly(
            "ATOMIC_ACKNOWLEDGE PSN 1000+1, result 40, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1001+1, result 40, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1002+1, result 7, MSN 3");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(-1);
  }

  @Test
  void withoutRaeAnAtomicIsRefused() {
    end.qpc.set(Qpc.RAE, false);
    restart();
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    expectRefusal(
        1000,
        0x61,
        "opcode ATOMIC_FA needs rae, which QP 0x40 does not have (IBV_ACCESS_REMOTE_ATOMIC in its"
            + " qp_access_flags, which takes effect only if max_dest_rd_atomic is above 0)");
  }

  @Test
  void anAtomicAtAnOddAddressIsRefused() {
    atomic(BthOpcode.COMPARE_SWAP, PSN, 4, 2, 0);
    expectRefusal(
        1000,
        0x61,
        "address 0x%x of an atomic is not a multiple of 8".formatted(memory.address(4)));
  }

  @Test
  void anAtomicWithoutItsRightIsRefused() {
    memory.register(end.chip.keys(), new LoneKey().rights(MemoryKey.REMOTE_READ));
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x does not grant REMOTE_ATOMIC: it was registered with REMOTE_READ"
            .formatted(memory.key()));
    assertThat(Memory.getNativeLong(memory.address(8))).isZero();
  }

  @Test
  void anAtomicTooManyIsRefusedAndNotExecuted() {
    for (int i = 0; i < 5; i++) {
      atomic(BthOpcode.FETCH_ADD, PSN + i, 8, 1, 0);
    }
    expectRefusal(
        1004,
        0x61,
        "more READs and atomics are outstanding than the 4 that it serves (2^log_rra_max): the"
            + " requester's log_sra_max (max_rd_atomic) must not be larger");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(4);
  }

  @Test
  void anAtomicBehindAReadIsExecutedOnceTheReadIsAnswered() {
    read(PSN, 8, 8);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, 3, 0);
    assertThat(Memory.getNativeLong(memory.address(8))).isZero();
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    assertThat(answers())
        .containsExactly(
            "READ_RESPONSE_ONLY PSN 1000+1, 8 bytes, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1001+1, result 0, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1002+1, result 2, MSN 3");
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, 3, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1002+1, result 2, MSN 3");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(5);
  }

  @Test
  void anAtomicBehindAReadIsRefusedWhenItsKeyEndsMeanwhile() {
    read(PSN, 0, 0);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    int key = memory.key();
    end.chip.keys().remove(end.chip.keys().find(key));
    expectRefusal(
        1001,
        0x62,
        "rkey 0x%x does not name a memory key: no key has index 0x%x (was the region closed?)"
            .formatted(key, key >>> 8));
    assertThat(Memory.getNativeLong(memory.address(8))).isZero();
  }

  @Test
  void anAtomicBehindAReadThatItsKeyDoesNotAllowIsRefusedAtOnce() {
    memory.register(end.chip.keys(), new LoneKey().rights(MemoryKey.REMOTE_READ));
    read(PSN, 0, 8);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    expectRefusal(
        1001,
        0x62,
        "rkey 0x%x does not grant REMOTE_ATOMIC: it was registered with REMOTE_READ"
            .formatted(memory.key()));
  }

  @Test
  void keysOfThisQueuePairAloneAreServed() {
    memory.register(end.chip.keys(), new LoneKey().rights(REMOTE).qpn(LoneEnd.QPN));
    write(BthOpcode.WRITE_ONLY, PSN, 4, 0, 4);
    read(PSN + 1, 0, 4);
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, 5, 0);
    assertThat(answers())
        .containsExactly(
            "READ_RESPONSE_ONLY PSN 1001+1, 4 bytes, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1002+1, result 0, MSN 3");
    assertThat(memory.bytes(0, 9)).containsExactly(1, 2, 3, 4, 0, 0, 0, 0, 5);
  }

  @Test
  void keysOfAnotherQueuePairAloneAreRefused() {
    memory.register(end.chip.keys(), new LoneKey().rights(REMOTE).qpn(LoneEnd.QPN + 1));
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 5, 0);
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x is for QP 0x41 alone (qpn of the memory key; 0xffffff lets any queue pair use it), not for QP 0x40"
            .formatted(memory.key()));
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
  void anAnswerOfAReadWaitsForRoomAndGoesOn() {
    read(PSN, 0, 8 * MTU);
    end.route.room(1);
    assertThat(responder.respond()).isEqualTo(1);
    assertThat(end.route.texts())
        .containsExactly("READ_RESPONSE_FIRST PSN 1000+4, 1024 bytes, MSN 1");
    end.route.room(1);
    responder.respond();
    assertThat(end.route.texts())
        .containsExactly("READ_RESPONSE_LAST PSN 1004+4, 1024 bytes, MSN 1");
  }

  @Test
  void theResultOfAnAtomicWaitsForRoom() {
    end.route.room(0);
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 1, 0);
    assertThat(responder.respond()).isZero();
    end.route.room(1);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1000+1, result 0, MSN 1");
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

  @Test
  void nothingIsAnsweredOutsideOfRtrAndRts() {
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    end.life.enter(QpState.SQD);
    assertThat(responder.respond()).isZero();
    end.life.enter(QpState.RTR);
    assertThat(responder.respond()).isEqualTo(1);
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

  @Test
  void aReadMayAskForAWholeMessageAndNotMore() {
    Packet read = readRequest(PSN, 0, 1L << 30);
    responder.receive(read);
    expectRefusal(
        1000,
        0x62,
        "address 0x%x with byte_count 1073741824 reaches outside the region of rkey 0x%x, which is [0x%x, 0x%x)"
            .formatted(
                memory.address(0), memory.key(), memory.address(0), memory.address(1 << 13)));
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
