package dev.bluebell.softnic.transport.unreliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.translation.MemoryKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The responder of an unreliable connection executes messages that arrive complete and in order.
 */
class UcResponderTest {
  private static final int PSN = LoneEnd.PSN;
  private static final int MTU = LoneEnd.MTU;

  private final LoneEnd end = new LoneEnd(ServiceType.UC);
  private final LoneMemory buffer = end.chip.memory(1 << 12, MemoryKey.LOCAL_WRITE);
  private final LoneMemory memory = end.chip.memory(1 << 12, MemoryKey.REMOTE_WRITE);
  private final LoneMemory data = end.chip.memory(1 << 12).count(0, 1 << 12);
  private final UcResponder responder = new UcResponder(end.both(), end.source, end.drops);

  @BeforeEach
  void connect() {
    restart();
  }

  private void restart() {
    end.connect();
    responder.start(end.qpc);
    responder.configure(end.qpc);
  }

  private Packet request(int operation, int psn, int bytes) {
    Packet request = end.packet(ServiceType.UC, operation, psn);
    request.packets = Math.max(1, (bytes + MTU - 1) / MTU);
    request.address = memory.address(0);
    request.rkey = memory.key();
    request.length = bytes;
    return LoneEnd.carrying(request, data, 0, bytes);
  }

  private void receive(int operation, int psn, int bytes) {
    responder.receive(request(operation, psn, bytes));
  }

  private void expectDrop(int count, String why) {
    assertThat(end.drops.count()).isEqualTo(count);
    assertThat(end.chip.explained())
        .last()
        .isEqualTo("QP 0x40, message %d was silently dropped: %s".formatted(count, why));
  }

  @Test
  void aSendLandsAndNothingIsAnswered() {
    end.receives.post(buffer, 0, 100);
    receive(BthOpcode.SEND_ONLY, PSN, 5);
    assertThat(buffer.bytes(0, 6)).containsExactly(1, 2, 3, 4, 5, 0);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 5 bytes");
    assertThat(responder.expectedPsn()).isEqualTo(1001);
    assertThat(responder.respond()).isZero();
    assertThat(end.route.take()).isEmpty();
    assertThat(end.drops.count()).isZero();
  }

  @Test
  void aWriteLandsAndWithImmediateCompletes() {
    receive(BthOpcode.WRITE_ONLY, PSN, 300);
    assertThat(memory.bytes(0, 300)).isEqualTo(data.bytes(0, 300));
    end.receives.post(buffer, 0, 1);
    Packet write = request(BthOpcode.WRITE_ONLY_IMMEDIATE, PSN + 2, 4);
    write.immediate = 0x55;
    responder.receive(write);
    assertThat(end.receivesCompleted()).containsExactly("RESP_WR_IMM 0, 4 bytes, immediate 0x55");
  }

  @Test
  void aMessageBehindAGapIsTakenWhenItStartsThere() {
    end.receives.post(buffer, 0, 100);
    receive(BthOpcode.SEND_ONLY, PSN + 7, 1);
    assertThat(end.receivesCompleted()).hasSize(1);
    assertThat(responder.expectedPsn()).isEqualTo(1008);
    assertThat(end.drops.count()).as("lost messages were never seen").isZero();
  }

  @Test
  void aMessageThatLostAPieceIsDroppedAndItsReceiveServesTheNext() {
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_FIRST, PSN, MTU);
    receive(BthOpcode.SEND_LAST, PSN + 2, 5);
    expectDrop(1, "its PSN 0x0003ea came where PSN 0x0003e9 of the same message was expected");
    receive(BthOpcode.SEND_ONLY, PSN + 3, 4);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 4 bytes");
    assertThat(end.drops.count()).isEqualTo(1);
  }

  @Test
  void theRestOfADroppedMessageIsSkippedInSilence() {
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_MIDDLE, PSN + 1, MTU);
    expectDrop(1, "its PSN 0x0003e9 came where PSN 0x0003e8 of the same message was expected");
    receive(BthOpcode.SEND_MIDDLE, PSN + 2, MTU);
    receive(BthOpcode.SEND_LAST, PSN + 9, 1);
    assertThat(end.drops.count()).isEqualTo(1);
    assertThat(end.receivesCompleted()).isEmpty();
  }

  @Test
  void aMessageThatStartsInsideAnotherEndsTheEarlierMessage() {
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_FIRST, PSN, MTU);
    receive(BthOpcode.SEND_ONLY, PSN + 1, 3);
    expectDrop(1, "PSN 0x0003e9 starts another message before the end of the previous one");
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 3 bytes");
  }

  @Test
  void aPieceWithoutABeginningIsDropped() {
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_LAST, PSN, 3);
    expectDrop(1, "opcode SEND continues a message while none is arriving");
  }

  @Test
  void withoutAReceiveAMessageIsDropped() {
    receive(BthOpcode.SEND_ONLY, PSN, 3);
    expectDrop(
        1,
        "QP 0x40 has no receive WQE posted; post receives and ring their doorbell before the"
            + " peer sends");
    assertThat(end.life.state()).isEqualTo(QpState.RTS);
    end.receives.post(buffer, 0, 100);
    receive(BthOpcode.SEND_ONLY, PSN + 1, 3);
    assertThat(end.receivesCompleted()).hasSize(1);
  }

  @Test
  void requestsOfAReliableConnectionAreDropped() {
    receive(BthOpcode.READ_REQUEST, PSN, 0);
    expectDrop(1, "opcode RDMA_READ is not supported by a queue pair of service UC");
    receive(BthOpcode.SEND_ONLY_INVALIDATE, PSN + 1, 0);
    expectDrop(2, "opcode SEND_INVAL is not supported by a queue pair of service UC");
  }

  @Test
  void aRequestThatDoesNotFitThePathMtuIsDropped() {
    Packet request = request(BthOpcode.SEND_ONLY, PSN, 257);
    request.packets = 1;
    responder.receive(request);
    expectDrop(
        1,
        "SEND came with 257 bytes in a packet, but the path MTU of QP 0x40 is 256: set the same"
            + " path MTU at both ends");
  }

  @Test
  void withoutRweAWriteIsDropped() {
    end.qpc.set(Qpc.RWE, false);
    restart();
    receive(BthOpcode.WRITE_ONLY, PSN, 1);
    expectDrop(
        1,
        "opcode RDMA_WRITE needs rwe, which QP 0x40 does not have (IBV_ACCESS_REMOTE_WRITE in its"
            + " qp_access_flags)");
  }

  @Test
  void aMessageThatIsTooLongFailsItsReceiveAndTheQueuePair() {
    end.receives.post(buffer, 0, 4);
    receive(BthOpcode.SEND_ONLY, PSN, 5);
    String sentence =
        "QP 0x40 failed at the message with PSN 0x0003e8: a message of 5 bytes (its byte_counts"
            + " together) does not fit the 4 bytes of the receive WQE's scatter list";
    assertThat(end.receivesCompleted())
        .containsExactly("RESP_ERR 0: LOCAL_LENGTH_ERR 0x00, " + sentence);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause()).endsWith(sentence);
    assertThat(end.drops.count()).isEqualTo(1);
  }

  @Test
  void aReceiveWithABadKeyFailsAndTheQueuePairWithIt() {
    end.receives.post(DataSegment.first(100, 0xbad00), 0x1000);
    receive(BthOpcode.SEND_ONLY, PSN, 5);
    assertThat(end.receivesCompleted().getFirst()).startsWith("RESP_ERR 0: LOCAL_PROT_ERR 0x32");
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aStrangersRequestIsDroppedAndItsPsnIsIgnored() {
    Packet forged = request(BthOpcode.WRITE_ONLY, PSN + 5, 1);
    forged.sourceQpn = 0x99;
    responder.receive(forged);
    expectDrop(
        1, "QP 0x40 is connected to QP 0x50 (remote_qpn), not to QP 0x99, which sent the request");
    assertThat(responder.expectedPsn()).isEqualTo(1000);
    assertThat(memory.bytes(0, 1)).containsExactly(0);
  }

  @Test
  void theFirstRequestInRtrEstablishesTheConnection() {
    end.life.enter(QpState.RTR);
    receive(BthOpcode.WRITE_ONLY, PSN, 1);
    receive(BthOpcode.WRITE_ONLY, PSN + 1, 1);
    assertThat(end.chip.takeEvents()).containsExactly("COMMUNICATION_ESTABLISHED of 0x40");
  }

  @Test
  void theReceiveOfAMessageThatWasArrivingIsFlushed() {
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_FIRST, PSN, MTU);
    responder.flushHeld("the reason");
    assertThat(end.receivesCompleted())
        .containsExactly("RESP_ERR 0: WR_FLUSH_ERR 0xf9, the reason");
  }

  @Test
  void aMessageThatWasRefusedInTheMidstIsDroppedOnce() {
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_FIRST, PSN, MTU);
    receive(BthOpcode.SEND_MIDDLE, PSN + 1, MTU - 1);
    receive(BthOpcode.SEND_ONLY, PSN + 2, 3);
    assertThat(end.drops.count()).isEqualTo(1);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 3 bytes");
  }

  @Test
  void anOverrunCqDoesNotCountAsADrop() {
    receive(BthOpcode.SEND_ONLY, PSN, 1);
    assertThat(end.drops.count()).isEqualTo(1);
    for (int i = 0; i < 256; i++) {
      end.receiveCompletions.queue().completeRequest(1, 1, 0, 0, 0);
    }
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_ONLY, PSN + 1, 1);
    assertThat(end.drops.count()).isEqualTo(1);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aResetResponderForgetsItsState() {
    end.receives.post(buffer, 0, 1000).post(buffer, 0, 1000);
    receive(BthOpcode.SEND_FIRST, PSN, MTU);
    responder.reset();
    restart();
    receive(BthOpcode.SEND_ONLY, PSN, 1);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 1, 1 bytes");
    assertThat(end.drops.count()).isZero();
    receive(BthOpcode.SEND_LAST, PSN + 5, 1);
    responder.reset();
    restart();
    end.receives.post(buffer, 0, 1000);
    receive(BthOpcode.SEND_LAST, PSN, 1);
    assertThat(end.drops.count()).as("pieces are no longer skipped").isEqualTo(2);
  }
}
