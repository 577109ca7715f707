package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Answer;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forged requests and responses, which this device would never send. */
class ForgeryTest {
  private static final int PSN = 0x1000;

  private final FaultyFabric[] faulty = new FaultyFabric[1];
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            faulty[0] = new FaultyFabric(inside, sink);
            return faulty[0];
          });
  private final RawPair pair = rig.pair(new Settings().retryCount(0).timeout(3));
  private final RawMemory local = rig.memory(8192).fill(1);
  private final RawMemory remote = rig.memory(8192).fill(2);

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  private void request(Consumer<Packet> fields) {
    faulty[0].forgeRequest(
        pair.left().number(),
        pair.right().number(),
        request -> {
          request.psn = PSN;
          fields.accept(request);
        });
    rig.settle();
  }

  private void response(Answer kind, int psn, Consumer<Packet> fields) {
    faulty[0].forgeResponse(pair.right().number(), pair.left().number(), kind, psn, fields);
    rig.settle();
  }

  private static void carry(Packet request, int opcode, boolean first, boolean last) {
    FaultyFabric.carry(request, ServiceType.RC, opcode, first, last);
  }

  /** Posts a WQE whose responses are all lost. */
  private void postUnanswered(Wqe wqe) {
    faulty[0].onResponse(answer -> Fate.LOSE);
    pair.left().post(wqe);
    rig.settle();
    faulty[0].carryAllResponses();
  }

  private void expectRefusal(String... explained) {
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
    assertThat(rig.explanations())
        .anyMatch(
            line ->
                line.startsWith("QP 0x%x refused".formatted(pair.right().number()))
                    && List.of(explained).stream().allMatch(line::contains));
  }

  @Test
  void aRequestFromAnotherGidIsDropped() {
    faulty[0].onRequest(
        request -> {
          request.sourceGidLow++;
          return Fate.DELIVER;
        });
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    rig.pass(4096 << 3);
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "is connected to GID", "rgid", "sent the request");
  }

  @Test
  void theErrorOfAStrangerNamesTheConnectedPeer() {
    RawPair stranger = rig.pair(new Settings().retryCount(0).timeout(3));
    faulty[0].onRequest(
        request -> {
          request.destinationQpn = pair.right().number();
          return Fate.DELIVER;
        });
    stranger.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    rig.pass(4096 << 3);
    stranger
        .left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "QP 0x%x is connected to QP 0x%x (remote_qpn), not to QP 0x%x"
                .formatted(pair.right().number(), pair.left().number(), stranger.left().number()));
  }

  @Test
  void requestsAfterARefusedRequestAreDroppedUntilTheNakIsSent() {
    faulty[0].onResponse(answer -> Fate.LOSE);
    pair.left().write(Wqe.write(remote, 0).data(local.address(0), 8, local.key()));
    pair.left().write(new Wqe(WqeOpcode.RDMA_WRITE).remote(0, 0).data(local, 0, 8));
    pair.left().post(Wqe.write(remote, 0).data(local, 8, 8));
    rig.settle();
    rig.pass(4096 << 3);
    pair.left()
        .sends()
        .poll(3)
        .getFirst()
        .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "refused an earlier request");
  }

  @Test
  void aResponderInTheErrorStateAnswersNothing() {
    pair.right().toError();
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    rig.pass(4096 << 3);
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "QP 0x%x is in ERR and takes no requests, because its client moved it there"
                .formatted(pair.right().number()));
  }

  @ParameterizedTest
  @EnumSource(Answer.class)
  void aResponseFromAnotherQueuePairChangesNothing(Answer kind) {
    postUnanswered(Wqe.write(remote, 0).data(local, 0, 8));
    faulty[0].forgeResponse(0x999, pair.left().number(), kind, PSN, answer -> {});
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x60, 0xa0, 0x100})
  void aResponseOfAnotherServiceChangesNothing(int service) {
    postUnanswered(Wqe.write(remote, 0).data(local, 0, 8));
    response(Answer.ACKNOWLEDGE, PSN, answer -> answer.opcode |= service);
    assertThat(pair.left().sends().peek()).isEmpty();
    response(Answer.ACKNOWLEDGE, PSN, answer -> {});
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void theResultOfAnAtomicForAReadIsABadResponse() {
    postUnanswered(Wqe.read(remote, 0).data(local, 0, 8));
    response(Answer.ATOMIC, PSN, answer -> {});
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.BAD_RESP_ERR, 0, "result of an atomic came, but no atomic");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 9, 4096})
  void readDataOfAnotherLengthIsALengthError(int bytes) {
    postUnanswered(Wqe.read(remote, 0).data(local, 0, 8));
    response(
        Answer.READ,
        PSN,
        answer -> {
          answer.payload.add(remote.address(0), bytes);
          answer.payloadBytes = bytes;
        });
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_LENGTH_ERR,
            0,
            "in packets of %1$d bytes; the path MTU of this end is 4096 (%1$d bytes came, 8 are left)"
                .formatted(bytes));
    assertThat(local.bytes()).isEqualTo(rig.memory(8192).fill(1).bytes());
  }

  @Test
  void readDataInPacketsOfAnotherMtuSaysThatTheEndsDiffer() {
    RawPair pair1024 = new RawPair(rig.qp(rig.cq(4)), rig.qp(rig.cq(4)));
    pair1024.left().connect(pair1024.right().number(), new Settings().mtu(3));
    pair1024.right().connect(pair1024.left().number(), new Settings().mtu(5));
    pair1024.left().post(Wqe.read(remote, 0).data(local, 0, 8192));
    rig.settle();
    pair1024
        .left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_LENGTH_ERR,
            0,
            "a READ response came in packets of 4096 bytes; the path MTU of this end is 1024",
            "set the same path MTU at both ends");
  }

  @Test
  void aWriteInPacketsOfAnotherMtuIsRefused() {
    RawPair pair1024 = new RawPair(rig.qp(rig.cq(4)), rig.qp(rig.cq(4)));
    pair1024.left().connect(pair1024.right().number(), new Settings().mtu(5));
    pair1024.right().connect(pair1024.left().number(), new Settings().mtu(3));
    pair1024.left().post(Wqe.write(remote, 0).data(local, 0, 8192));
    rig.settle();
    pair1024
        .left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            0,
            "RDMA_WRITE came with 4096 bytes in a packet, but the path MTU of QP 0x%x is 1024: set the same path MTU at both ends"
                .formatted(pair1024.right().number()));
    assertThat(remote.bytes()).isEqualTo(rig.memory(8192).fill(2).bytes());
  }

  @ParameterizedTest
  @CsvSource({
    // first, last, packets, bytes
    "true, false, 1, 4095",
    "true, false, 1, 4097",
    "true, false, 2, 4096",
    "true, false, 0, 0",
    "true, true, 1, 4097",
    "true, true, 2, 4096",
    "true, true, 0, 0",
    "true, true, -1, 8"
  })
  void aRequestWhoseSizeDoesNotFitItsPacketsIsRefused(
      boolean first, boolean last, int packets, int bytes) {
    request(
        request -> {
          carry(request, WqeOpcode.RDMA_WRITE, first, last);
          request.address = remote.address(0);
          request.rkey = remote.key();
          request.length = last ? bytes : 8192;
          request.packets = packets;
          request.payload.add(local.address(0), bytes);
          request.payloadBytes = bytes;
        });
    expectRefusal("but the path MTU of", "is 4096");
    assertThat(remote.bytes()).isEqualTo(rig.memory(8192).fill(2).bytes());
  }

  @Test
  void aDatagramInPiecesIsDropped() {
    RawQp datagrams = rig.qp(new RawQpPlan(rig.cq(4)).service(2));
    datagrams.connect(0, new Settings());
    datagrams.receiveNothing();
    faulty[0].forgeRequest(
        pair.left().number(),
        datagrams.number(),
        request -> {
          FaultyFabric.carry(request, ServiceType.UD, WqeOpcode.SEND, true, false);
          request.qkey = 0x11111111;
        });
    faulty[0].forgeRequest(
        pair.left().number(),
        datagrams.number(),
        request -> {
          FaultyFabric.carry(request, ServiceType.UD, WqeOpcode.SEND, true, true);
          request.qkey = 0x11111111;
          request.payload.add(local.address(0), 4097);
          request.payloadBytes = 4097;
        });
    rig.settle();
    assertThat(datagrams.receives().peek()).isEmpty();
    assertThat(rig.explanations())
        .anyMatch(line -> line.contains("opcode SEND is not valid for a datagram"))
        .anyMatch(line -> line.contains("with 4097 bytes in a packet"));
  }

  @Test
  void anUnknownNakCodeIsABadResponse() {
    postUnanswered(Wqe.write(remote, 0).data(local, 0, 8));
    response(Answer.NAK, PSN, answer -> answer.syndrome = 0x64);
    pair.left().sends().pollOne().requireError(Syndrome.BAD_RESP_ERR, 0, "unknown NAK code 0x64");
  }

  @ParameterizedTest
  @ValueSource(ints = {Aeth.INVALID_REQUEST_NAK, Aeth.REMOTE_ACCESS_NAK, Aeth.REMOTE_OPERATION_NAK})
  void aNakWithoutAnExplanationIsExplainedByItsCode(int code) {
    postUnanswered(Wqe.write(remote, 0).data(local, 0, 8));
    response(Answer.NAK, PSN, answer -> answer.syndrome = code);
    assertThat(pair.left().sends().pollOne().explanation())
        .contains("the responder refused it: NAK 0x%02x".formatted(code));
  }

  @Test
  void aPlainAcknowledgementDoesNotCompleteARead() {
    postUnanswered(Wqe.read(remote, 0).data(local, 0, 8));
    faulty[0].onResponse(answer -> Fate.LOSE);
    response(Answer.ACKNOWLEDGE, PSN, answer -> {});
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "a later response came before the answer of a READ or atomic",
            "retry_count");
    assertThat(local.bytes()).isEqualTo(rig.memory(8192).fill(1).bytes());
  }

  @Test
  void aGapWithoutRetriesLeftEndsTheConnection() {
    boolean[] lost = {false};
    faulty[0].onRequest(
        request -> {
          boolean first = !lost[0];
          lost[0] = true;
          return first ? Fate.LOSE : Fate.DELIVER;
        });
    pair.left().write(Wqe.write(remote, 0).data(local, 0, 8));
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    pair.left()
        .sends()
        .poll(2)
        .getFirst()
        .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "the responder missed PSN 0x001000");
  }

  @Test
  void moreReadsThanTheResponderServesAreRefused() {
    RawPair greedy = rig.pair(new Settings().reads(4, 1));
    for (int i = 0; i < 3; i++) {
      greedy.left().write(Wqe.read(remote, 0).data(local, 0, 8));
    }
    greedy.left().post(Wqe.nop());
    rig.settle();
    assertThat(greedy.left().sends().poll(4))
        .filteredOn(cqe -> cqe.isError())
        .first()
        .satisfies(
            cqe ->
                cqe.requireError(
                    Syndrome.REMOTE_INVAL_REQ_ERR, 2, "than the 2 that it serves", "log_rra_max"));
  }

  @Test
  void aRequestThatFailsAtBothEndsFailsOnce() {
    RawMemory large = rig.memory(1 << 17);
    pair.right().receiveNothing();
    pair.left().write(Wqe.write(remote, 0).data(local, 0, 8));
    // The first part is more than the receiver takes, the second part has a bad key.
    pair.left()
        .post(
            Wqe.send()
                .data(large, 0, 1 << 16)
                .data(large.address(1 << 16), 1 << 16, large.key() ^ 1));
    rig.settle();
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    assertThat(done.get(1).isError()).isTrue();
    assertThat(done.get(1).wqeCounter()).isEqualTo(1);
  }

  @Test
  void aDefectOfTheDeviceEndsOnlyTheQueuePairThatMetIt() {
    RawPair other = rig.pair();
    faulty[0].onRequest(
        request -> {
          if (request.sourceQpn == pair.left().number()) {
            throw new IllegalStateException("a defect");
          }
          return Fate.DELIVER;
        });
    Logger logger = Logger.getLogger("dev.bluebell.softnic");
    logger.setLevel(Level.OFF);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    other.left().post(Wqe.write(remote, 0).data(local, 0, 8));
    rig.settle();
    logger.setLevel(null);
    other.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.explanations())
        .anyMatch(
            line ->
                line.contains("the device itself failed at QP 0x%x".formatted(pair.left().number()))
                    && line.contains("a defect"));
    pair.left().post(Wqe.nop());
    rig.settle();
    pair.left().object().close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void aLateDuplicateOfAReadDoesNotTakeThePlaceOfTheNextRead(int logReads) {
    FaultyFabric[] link = new FaultyFabric[1];
    try (Rig other = Rigs.open((inside, sink) -> link[0] = new FaultyFabric(inside, sink))) {
      RawMemory memory = other.memory(64);
      RawPair ends = other.pair(new Settings().reads(logReads, logReads));
      int reads = 1 << logReads;
      for (int i = 0; i < reads; i++) {
        ends.left().post(Wqe.read(memory, 0).data(memory, 8, 8));
      }
      other.settle();
      ends.left().sends().poll(reads);
      // The duplicate of the oldest arrives just before the next request.
      link[0].onRequest(
          request -> {
            link[0].forgeRequest(
                ends.left().number(),
                ends.right().number(),
                late -> {
                  carry(late, WqeOpcode.RDMA_READ, true, true);
                  late.psn = PSN;
                  late.address = memory.address(0);
                  late.rkey = memory.key();
                  late.length = 8;
                });
            return Fate.DELIVER;
          });
      ends.left().post(Wqe.read(memory, 0).data(memory, 8, 8));
      other.settle();
      ends.left().sends().pollOne().require(CqeOpcode.REQ, reads);
    }
  }
}
