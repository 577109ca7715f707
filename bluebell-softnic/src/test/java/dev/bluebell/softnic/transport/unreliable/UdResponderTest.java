package dev.bluebell.softnic.transport.unreliable;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.translation.MemoryKey;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The responder of datagrams puts each behind its network header. */
class UdResponderTest {
  private static final int QKEY = 0x11111111;
  private static final String NO_RECEIVE =
      "QP 0x40 has no receive WQE posted; post receives and ring their doorbell before the"
          + " peer sends";

  private final LoneEnd end = new LoneEnd(ServiceType.UD);
  private final LoneMemory buffer = end.chip.memory(1 << 12, MemoryKey.LOCAL_WRITE);
  private final LoneMemory data = end.chip.memory(1 << 12).count(0, 1 << 12);
  private final UdResponder responder = new UdResponder(end.both(), end.source, end.drops);

  @BeforeEach
  void connect() {
    end.connect();
    responder.start(end.qpc);
    responder.configure(end.qpc);
  }

  private Packet datagram(int operation, int bytes) {
    Packet datagram = end.packet(ServiceType.UD, operation, 77);
    datagram.qkey = QKEY;
    datagram.destinationGidHigh = LoneEnd.LOCAL.high();
    datagram.destinationGidLow = LoneEnd.LOCAL.low();
    datagram.hopLimit = 63;
    return LoneEnd.carrying(datagram, data, 0, bytes);
  }

  private void expectDrop(String why) {
    assertThat(end.drops.count()).isEqualTo(1);
    assertThat(end.chip.explained())
        .containsExactly("QP 0x40, message 1 was silently dropped: " + why);
    assertThat(end.receivesCompleted()).isEmpty();
  }

  @Test
  void aDatagramLandsBehindItsHeader() {
    end.receives.post(buffer, 0, 100);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    assertThat(buffer.bytes(0, 8)).containsExactly(0x60, 0, 0, 0, 0, 40, 17, 63);
    assertThat(buffer.bytes(40, 6)).containsExactly(1, 2, 3, 4, 5, 0);
    RawCqe cqe = end.receiveCompletions.poll();
    assertThat(cqe.byteCount()).isEqualTo(45);
    assertThat(cqe.remoteQpn()).isEqualTo(LoneEnd.REMOTE_QPN);
    assertThat(cqe.immediate()).as("its partition key").isEqualTo(0xffff);
    assertThat(Cqe.l3Type(cqe.flags())).isEqualTo(Cqe.L3_IPV6);
    assertThat(Cqe.hasHeader(cqe.flags())).isTrue();
    assertThat(cqe.userIndex()).isEqualTo(LoneEnd.USER_INDEX);
  }

  @Test
  void aDatagramOfIpv4SaysSo() {
    end.receives.post(buffer, 0, 100);
    Packet datagram = datagram(BthOpcode.SEND_ONLY, 1);
    datagram.destinationGidHigh = 0;
    datagram.destinationGidLow = Gid.ofIpv4(0x0a000001).low();
    responder.receive(datagram);
    assertThat(Cqe.l3Type(end.receiveCompletions.poll().flags())).isEqualTo(Cqe.L3_IPV4);
  }

  @Test
  void immediateAndSolicitedReachTheCompletion() {
    end.receives.post(buffer, 0, 100);
    Packet datagram = datagram(BthOpcode.SEND_ONLY_IMMEDIATE, 1);
    datagram.immediate = 0x1234;
    datagram.solicited = true;
    responder.receive(datagram);
    assertThat(end.receivesCompleted())
        .containsExactly("RESP_SEND_IMM 0, 41 bytes, immediate 0x1234, solicited");
  }

  @Test
  void theNextDatagramHasOnlyItsOwnBytes() {
    end.receives.post(buffer, 0, 100).post(buffer, 100, 100);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 9));
    responder.receive(datagram(BthOpcode.SEND_ONLY, 2));
    assertThat(buffer.bytes(140, 3)).containsExactly(1, 2, 0);
  }

  @Test
  void aDatagramMayFillTheMtuAndNoMore() {
    end.receives.post(buffer, 0, 1000).post(buffer, 0, 1000);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 256));
    assertThat(end.receivesCompleted()).hasSize(1);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 257));
    expectDrop(
        "SEND came with 257 bytes in a packet, but the path MTU of QP 0x40 is 256: set the same"
            + " path MTU at both ends");
  }

  @Test
  void aTrainOfPacketsIsDropped() {
    Packet train = datagram(BthOpcode.SEND_ONLY, 256);
    train.packets = 2;
    responder.receive(train);
    expectDrop(
        "SEND came with 128 bytes in a packet, but the path MTU of QP 0x40 is 256: set the same"
            + " path MTU at both ends");
  }

  @ParameterizedTest
  @CsvSource({"0, SEND", "1, SEND", "2, SEND", "10, RDMA_WRITE", "12, RDMA_READ", "23, SEND_INVAL"})
  void anOpcodeThatDatagramsDoNotHaveIsDropped(int operation, String name) {
    end.receives.post(buffer, 0, 100);
    responder.receive(datagram(operation, 5));
    expectDrop("opcode %s is not valid for a datagram".formatted(name));
  }

  @Test
  void aDropOfAFullDatagramIsNotExplainedByItsSize() {
    end.receives.post(buffer, 0, 1000);
    responder.receive(datagram(BthOpcode.WRITE_ONLY, 256));
    expectDrop("opcode RDMA_WRITE is not valid for a datagram");
  }

  @Test
  void anotherQkeyIsDropped() {
    end.receives.post(buffer, 0, 100);
    Packet datagram = datagram(BthOpcode.SEND_ONLY, 5);
    datagram.qkey++;
    responder.receive(datagram);
    expectDrop("the qkey of QP 0x40 is 0x11111111, but the datagram from QP 0x50 has 0x11111112");
    assertThat(end.chip.recorded()).last().isEqualTo("QP 0x40 dropped a packet, PSN 0x00004d");
  }

  @Test
  void inInitDatagramsAreDropped() {
    end.life.enter(QpState.INIT);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    expectDrop("QP 0x40 is in INIT and takes no datagrams");
  }

  @Test
  void withoutAReceiveADatagramIsDropped() {
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    expectDrop(NO_RECEIVE);
    assertThat(end.life.state()).isEqualTo(QpState.RTS);
    end.receives.post(buffer, 0, 100);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    assertThat(end.receivesCompleted()).hasSize(1);
  }

  @Test
  void theSixteenFirstDropsAreExplainedAndThenPowersOfTwo() {
    for (int i = 0; i < 100; i++) {
      responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    }
    assertThat(end.drops.count()).isEqualTo(100);
    assertThat(end.chip.explained()).hasSize(16 + 2);
    assertThat(end.chip.explained().get(15)).contains("message 16 was silently dropped");
    assertThat(end.chip.explained().get(16)).contains("message 32 was silently dropped");
    assertThat(end.chip.explained().get(17)).contains("message 64 was silently dropped");
  }

  @Test
  void aDatagramThatIsTooLongFailsItsReceiveAndTheQueuePair() {
    end.receives.post(buffer, 0, 44);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    String sentence =
        "QP 0x40 failed at a datagram from QP 0x50, to which the network header adds 40 bytes at"
            + " the front: a message of 45 bytes (its byte_counts together) does not fit the 44"
            + " bytes of the receive WQE's scatter list";
    assertThat(end.receivesCompleted())
        .containsExactly("RESP_ERR 0: LOCAL_LENGTH_ERR 0x00, " + sentence);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause()).endsWith(sentence);
    assertThat(end.drops.count()).isEqualTo(1);
  }

  @Test
  void aReceiveWithABadKeyFails() {
    end.receives.post(DataSegment.first(100, 0xbad00), 0x1000);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    assertThat(end.receivesCompleted().getFirst()).startsWith("RESP_ERR 0: LOCAL_PROT_ERR 0x32");
  }

  @Test
  void anOverrunReceiveQueueFailsTheQueuePair() {
    end.receives.setRecord(129);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    assertThat(end.receivesCompleted())
        .singleElement()
        .asString()
        .startsWith("RESP_ERR 0: LOCAL_QP_OP_ERR 0xd6")
        .endsWith(
            "the doorbell record's receive counter of QP 0x40 claims more WQEs than the 128 that"
                + " the ring has");
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.drops.count()).isEqualTo(1);
  }

  @Test
  void anOverrunCqDoesNotCountAsADrop() {
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    for (int i = 0; i < 256; i++) {
      end.receiveCompletions.queue().completeRequest(1, 1, 0, 0, 0);
    }
    end.receives.post(buffer, 0, 100);
    responder.receive(datagram(BthOpcode.SEND_ONLY, 5));
    assertThat(end.drops.count()).isEqualTo(1);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void psnsAreIgnoredAndNothingIsAnswered() {
    assertThat(responder.expectedPsn()).isZero();
    assertThat(responder.respond()).isZero();
    responder.flushHeld("the reason");
    assertThat(end.receivesCompleted()).isEmpty();
    responder.reset();
  }

  @Test
  void aDropThatIsNotExplainedAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Packet datagram = datagram(BthOpcode.SEND_ONLY, 1);
    datagram.qkey++;
    for (int i = 0; i < 1 << 16; i++) {
      responder.receive(datagram);
    }
    // Fewer than the next power of two.
    LongSupplier trial =
        () -> {
          long before = threads.getCurrentThreadAllocatedBytes();
          for (int i = 0; i < 100; i++) {
            responder.receive(datagram);
          }
          return threads.getCurrentThreadAllocatedBytes() - before;
        };
    assertThat(Trials.leastBytes(trial)).isZero();
    assertThat(end.chip.chip().counters().queueKeyViolations()).isEqualTo(0xffff);
  }
}
