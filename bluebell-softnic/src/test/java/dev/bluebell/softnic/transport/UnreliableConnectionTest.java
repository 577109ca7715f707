package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawCqe;
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
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable connections: delivery, drops, and reports. */
class UnreliableConnectionTest {
  private static final int UC = 1;
  private static final int PSN = 0x1000;
  private static final int MTU = 256;
  private static final int BYTES = 1 << 18;

  private final FaultyFabric[] faulty = new FaultyFabric[1];
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            faulty[0] = new FaultyFabric(inside, sink).packetsPerBurst(1);
            return faulty[0];
          });
  private final RawPair pair = connect(new Settings().mtu(1));
  private final RawMemory source = rig.memory(BYTES).fill(1);
  private final RawMemory target = rig.memory(BYTES);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  private RawPair connect(Settings settings) {
    return RawPair.connect(queuePair(), queuePair(), settings);
  }

  private RawQp queuePair() {
    return rig.qp(new RawQpPlan(rig.cq(6)).service(UC));
  }

  private void post(Wqe wqe) {
    pair.left().post(wqe);
    rig.settle();
  }

  private int receive() {
    return pair.right().receive(target.address(0), BYTES, target.key());
  }

  private void requireSent(int index) {
    pair.left().sends().pollOne().require(CqeOpcode.REQ, index);
  }

  @Test
  void aTracedMessageOfManyPacketsIsRecordedOnceByItsReceiver() {
    HcaDiagnosis diagnosis = rig.nic().diagnosis().orElseThrow();
    diagnosis.trace(true);
    post(Wqe.write(target, 0).data(source, 0, 3 * MTU));
    requireSent(0);
    assertThat(diagnosis.happenings())
        .filteredOn(happening -> happening.kind() == HcaHappening.DELIVERED)
        .singleElement()
        .extracting(HcaHappening::description)
        .isEqualTo(
            "QP 0x%x executed WQE 0 of QP 0x%x"
                .formatted(pair.right().number(), pair.left().number()));
  }

  private RawCqe received(int opcode, int counter) {
    return pair.right().receives().pollOne().require(opcode, counter);
  }

  private void expectArrived(int bytes) {
    assertThat(target.bytes(0, bytes)).isEqualTo(source.bytes(0, bytes));
    assertThat(target.bytes(bytes, 1)).containsOnly(0);
  }

  /** Loses the requests with these places in the order of sending. */
  private void lose(Integer... packets) {
    Set<Integer> lost = Set.of(packets);
    int[] sent = new int[1];
    faulty[0].onRequest(request -> lost.contains(sent[0]++) ? Fate.LOSE : Fate.DELIVER);
  }

  private void expectDropped(int messages, String... explained) {
    assertThat(String.join("\n", rig.nic().diagnosis().orElseThrow().objects()))
        .contains(Counted.of(messages, "message") + " dropped");
    assertThat(rig.explanation()).contains("was silently dropped");
    assertThat(List.of(explained)).allMatch(rig.explanation()::contains);
    assertThat(pair.right().state()).isEqualTo(QpState.RTS);
    assertThat(pair.left().state()).isEqualTo(QpState.RTS);
  }

  // ---- delivery

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, 100_000})
  void aSendArrivesInPiecesAndInOrder(int bytes) {
    receive();
    post(Wqe.send().data(source, 0, bytes));
    requireSent(0);
    RawCqe received = received(CqeOpcode.RESP_SEND, 0);
    assertThat(received.byteCount()).isEqualTo(bytes);
    assertThat(received.remoteQpn()).isEqualTo(pair.left().number());
    expectArrived(bytes);
    int packets = Math.max(1, (bytes + MTU - 1) / MTU);
    assertThat(faulty[0].requestPsns()).hasSize(packets).startsWith(PSN).isSorted();
    assertThat(pair.left().query().getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(PSN + packets);
    assertThat(pair.right().query().getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(PSN + packets);
  }

  @Test
  void noAcknowledgementIsRequestedOrSent() {
    faulty[0].onRequest(
        request -> {
          assertThat(request.acknowledge).isFalse();
          return Fate.DELIVER;
        });
    faulty[0].onResponse(
        answer -> {
          throw new AssertionError("an unreliable connection answered");
        });
    receive();
    post(Wqe.send().data(source, 0, 1000));
    requireSent(0);
    received(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void anImmediateArrives() {
    receive();
    post(new Wqe(WqeOpcode.SEND_IMM).data(source, 0, 1000).immediate(0xcafe));
    requireSent(0);
    assertThat(received(CqeOpcode.RESP_SEND_IMM, 0).immediate()).isEqualTo(0xcafe);
  }

  @Test
  void aWriteWithImmediateConsumesAReceive() {
    receive();
    post(
        new Wqe(WqeOpcode.RDMA_WRITE_IMM)
            .remote(target.address(0), target.key())
            .data(source, 0, 1000)
            .immediate(7));
    requireSent(0);
    RawCqe received = received(CqeOpcode.RESP_WR_IMM, 0);
    assertThat(received.byteCount()).isEqualTo(1000);
    assertThat(received.immediate()).isEqualTo(7);
    expectArrived(1000);
  }

  @Test
  void gatheredAndInlineDataArrive() {
    byte[] inline = source.bytes(5000, 40);
    receive();
    post(Wqe.send().data(source, 0, 1000).inline(inline).data(source, 1000, 1000));
    requireSent(0);
    received(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes(0, 1000)).isEqualTo(source.bytes(0, 1000));
    assertThat(target.bytes(1000, 40)).isEqualTo(inline);
    assertThat(target.bytes(1040, 1000)).isEqualTo(source.bytes(1000, 1000));
  }

  @Test
  void messagesTravelBetweenOtherProcesses() {
    OtherProcess from = new OtherProcess(rig, 4096).put(0, source.bytes(0, 2000));
    OtherProcess to = new OtherProcess(rig, 8192);
    HcaMemory fromKey = from.register(HcaAccess.ALL);
    HcaMemory toKey = to.register(HcaAccess.ALL);
    pair.right().receive(OtherProcess.BASE, 4096, toKey.lkey());
    pair.left().write(Wqe.send().data(OtherProcess.BASE, 2000, fromKey.lkey()));
    post(
        new Wqe(WqeOpcode.RDMA_WRITE)
            .remote(OtherProcess.BASE + 4096, toKey.rkey())
            .data(OtherProcess.BASE, 2000, fromKey.lkey()));
    pair.left().sends().poll(2);
    assertThat(to.bytes(0, 2000)).isEqualTo(source.bytes(0, 2000));
    assertThat(to.bytes(4096, 2000)).isEqualTo(source.bytes(0, 2000));
  }

  @Test
  void aMessageOfManyTurnsArrives() {
    receive();
    post(Wqe.send().data(source, 0, BYTES));
    requireSent(0);
    received(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes()).isEqualTo(source.bytes());
  }

  // ---- loss

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void aMessageWithAGapIsDroppedAndTheNextTakesItsReceive(int packet) {
    lose(packet);
    receive();
    receive();
    post(Wqe.send().data(source, 0, 4 * MTU));
    requireSent(0);
    assertThat(pair.right().receives().peek()).isEmpty();
    post(Wqe.send().data(source, 100, 3 * MTU));
    requireSent(1);
    assertThat(received(CqeOpcode.RESP_SEND, 0).byteCount()).isEqualTo(3 * MTU);
    assertThat(target.bytes(0, 3 * MTU)).isEqualTo(source.bytes(100, 3 * MTU));
    expectDropped(1);
  }

  @Test
  void theExplanationNamesTheGap() {
    lose(1);
    receive();
    post(Wqe.send().data(source, 0, 4 * MTU));
    expectDropped(1, "its PSN 0x001002 came where PSN 0x001001 of the same message was expected");
  }

  @Test
  void aLostMessageOfOnePacketIsNotMissed() {
    lose(0);
    receive();
    post(Wqe.send().data(source, 0, 8));
    post(Wqe.send().data(source, 8, 8));
    pair.left().sends().poll(2);
    received(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(8, 8));
    assertThat(rig.explanations()).isEmpty();
  }

  @Test
  void aMessageWhoseEndIsLostIsDroppedWhenTheNextStarts() {
    lose(2);
    receive();
    post(Wqe.send().data(source, 0, 3 * MTU));
    post(Wqe.send().data(source, 100, 8));
    pair.left().sends().poll(2);
    assertThat(received(CqeOpcode.RESP_SEND, 0).byteCount()).isEqualTo(8);
    expectDropped(1);
  }

  @Test
  void aMessageThatStartsInsideAnotherReplacesIt() {
    receive();
    faulty[0].onRequest(
        request -> {
          if (request.psn == PSN + 1) {
            FaultyFabric.carry(request, ServiceType.UC, WqeOpcode.SEND, true, true);
          }
          return request.psn > PSN + 1 ? Fate.LOSE : Fate.DELIVER;
        });
    post(Wqe.send().data(source, 0, 3 * MTU));
    assertThat(received(CqeOpcode.RESP_SEND, 0).byteCount()).isEqualTo(MTU);
    expectDropped(1, "PSN 0x001001 starts another message before the end of the previous one");
  }

  @Test
  void theBytesOfAPartialWriteStay() {
    lose(1);
    post(Wqe.write(target, 0).data(source, 0, 3 * MTU));
    requireSent(0);
    assertThat(target.bytes(0, MTU)).isEqualTo(source.bytes(0, MTU));
    assertThat(target.bytes(MTU, 2 * MTU)).containsOnly(0);
    expectDropped(1);
  }

  @Test
  void aRepeatedPacketEndsItsMessage() {
    faulty[0].onRequest(request -> request.psn == PSN + 1 ? Fate.REPEAT : Fate.DELIVER);
    receive();
    post(Wqe.send().data(source, 0, 3 * MTU));
    assertThat(pair.right().receives().peek()).isEmpty();
    expectDropped(1);
  }

  // ---- refusals

  @Test
  void aWriteToAKeyThatDoesNotExistIsDropped() {
    post(new Wqe(WqeOpcode.RDMA_WRITE).remote(target.address(0), 0x777).data(source, 0, 3 * MTU));
    requireSent(0);
    expectDropped(1, "rkey 0x777");
    post(Wqe.write(target, 0).data(source, 0, 8));
    requireSent(1);
    expectArrived(8);
  }

  @Test
  void aWriteBeyondTheRegionIsDropped() {
    post(Wqe.write(target, BYTES - 8).data(source, 0, 16));
    requireSent(0);
    expectDropped(1, "reaches outside the region");
  }

  @Test
  void aRefusedWriteWithImmediateLeavesItsReceiveToTheNextMessage() {
    receive();
    receive();
    post(
        new Wqe(WqeOpcode.RDMA_WRITE_IMM)
            .remote(target.address(0), 0x777)
            .data(source, 0, 8)
            .immediate(1));
    requireSent(0);
    expectDropped(1, "rkey 0x777");
    post(Wqe.send().data(source, 0, 8));
    received(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void aMessageTooLongForItsReceiveFailsTheReceiver() {
    pair.right().receive(target.address(0), 300, target.key());
    post(Wqe.send().data(source, 0, 3 * MTU));
    requireSent(0);
    pair.right()
        .receives()
        .pollOne()
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "byte_counts", "300 bytes");
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
    assertThat(pair.left().state()).isEqualTo(QpState.RTS);
  }

  @Test
  void aReceiveBufferThatIsNotRegisteredFailsTheReceiver() {
    pair.right().receive(target.address(0), 300, 0x777);
    post(Wqe.send().data(source, 0, 8));
    requireSent(0);
    pair.right().receives().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "lkey 0x777");
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aMessageThatIsCutShortByAnErrorStateIsFlushed() {
    lose(2);
    receive();
    post(Wqe.send().data(source, 0, 3 * MTU));
    pair.right().toError();
    rig.settle();
    pair.right().receives().pollOne().requireError(Syndrome.WR_FLUSH_ERR, 0);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        WqeOpcode.RDMA_READ,
        WqeOpcode.ATOMIC_CS,
        WqeOpcode.ATOMIC_FA,
        WqeOpcode.SEND_INVAL,
        WqeOpcode.ATOMIC_MASKED_FA
      })
  void anOperationThatNeedsAnAnswerIsRefused(int opcode) {
    post(new Wqe(opcode).remote(target.address(0), target.key()).words(1, 2).data(source, 0, 8));
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR, 0, "opcode " + WqeOpcode.name(opcode), "a UC send queue");
    assertThat(pair.left().state()).isEqualTo(QpState.SQER);
  }

  @Test
  void aGatherEntryIsCheckedWhenItsTurnComes() {
    receive();
    post(Wqe.send().data(source, 0, 2 * MTU).data(source.address(0), 8, 0x777));
    pair.left().sends().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "lkey 0x777");
    assertThat(pair.left().state()).isEqualTo(QpState.SQER);
    assertThat(pair.right().receives().peek()).isEmpty();
    pair.left().object().modify(pair.left().transition(CommandOpcode.SQERR2RTS_QP).bytes());
    post(Wqe.send().data(source, 0, 8));
    assertThat(received(CqeOpcode.RESP_SEND, 0).byteCount()).isEqualTo(8);
  }

  @Test
  void aMessageToAGidThatNoPortHasIsDropped() {
    RawPair lost = connect(new Settings().remote(new Gid(1, 2)));
    lost.left().post(Wqe.send().data(source, 0, 8));
    rig.settle();
    lost.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    expectDropped(1, "(rgid)");
  }

  @Test
  void aMessageFromAnotherQueuePairIsDropped() {
    RawQp stranger = queuePair();
    stranger.connect(pair.right().number(), new Settings());
    stranger.post(Wqe.write(target, 0).data(source, 0, 8));
    rig.settle();
    expectDropped(1, "is connected to QP", "not to QP 0x%x".formatted(stranger.number()));
    post(Wqe.write(target, 0).data(source, 0, 8));
    expectArrived(8);
  }

  @Test
  void aMessageOfAnotherServiceIsDropped() {
    RawQp reliable = rig.qp(rig.cq(4));
    reliable.connect(pair.right().number(), new Settings().retryCount(0).timeout(3));
    reliable.post(Wqe.write(target, 0).data(source, 0, 8));
    rig.settle();
    rig.pass(4096 << 3);
    reliable
        .sends()
        .pollOne()
        .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "is of service UC (st)");
  }

  @Test
  void aForgedReadIsDropped() {
    faulty[0].forgeRequest(
        pair.left().number(),
        pair.right().number(),
        request -> {
          FaultyFabric.carry(request, ServiceType.UC, WqeOpcode.RDMA_READ, true, true);
          request.psn = PSN;
          request.address = target.address(0);
          request.rkey = target.key();
          request.length = 8;
        });
    expectDropped(1, "opcode RDMA_READ is not supported by a queue pair of service UC");
  }

  @Test
  void responsesToAnUnreliableConnectionChangeNothing() {
    for (Answer kind : List.of(Answer.NAK, Answer.ACKNOWLEDGE)) {
      faulty[0].forgeResponse(pair.right().number(), pair.left().number(), kind, PSN, answer -> {});
    }
    post(Wqe.write(target, 0).data(source, 0, 8));
    requireSent(0);
  }
}
