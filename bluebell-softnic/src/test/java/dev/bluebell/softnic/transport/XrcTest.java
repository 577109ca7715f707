package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections of XRC: an initiator, a target, and shared receive queues that messages name. */
class XrcTest {
  private static final int MTU = 256;

  private FaultyFabric fabric;
  private Rig rig;
  private RawMemory source;
  private RawMemory target;
  private HcaObject xrcd;
  private RawXrcSrq srq;
  private RawPair pair;

  @BeforeEach
  void open() {
    rig =
        Rigs.open(
            (inside, sink) -> {
              fabric = new FaultyFabric(inside, sink).packetsPerBurst(1);
              return fabric;
            });
    source = rig.memory(4096).fill(1);
    target = rig.memory(4096);
    xrcd = RawXrcSrq.domain(rig);
    srq = new RawXrcSrq(rig, xrcd);
    pair = connect(new Settings());
  }

  @AfterEach
  void close() {
    target.expectCanaries();
    srq.expectCanaries();
    rig.close();
  }

  private RawPair connect(Settings settings) {
    return RawPair.connect(RawXrcSrq.initiator(rig), RawXrcSrq.target(rig, xrcd), settings.mtu(1));
  }

  private void post(Wqe wqe) {
    post(wqe, srq.number());
  }

  private void post(Wqe wqe, int srqn) {
    pair.left().post(wqe.xrc(srqn));
    rig.settle();
  }

  private void receive() {
    srq.receive(target.address(0), 4096, target.key());
  }

  private RawCqe done() {
    return pair.left().sends().pollOne();
  }

  // ---- requests

  @Test
  void aSendArrivesInTheQueueThatItNames() {
    receive();
    post(Wqe.send().data(source, 0, 3 * MTU + 7));
    done().require(CqeOpcode.REQ, 0);
    RawCqe received = srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.userIndex()).isEqualTo(RawXrcSrq.USER_INDEX);
    assertThat(received.qpn()).isEqualTo(pair.right().number());
    assertThat(received.remoteQpn()).isEqualTo(pair.left().number());
    assertThat(received.byteCount()).isEqualTo(3 * MTU + 7);
    assertThat(target.bytes(0, 3 * MTU + 7)).isEqualTo(source.bytes(0, 3 * MTU + 7));
    assertThat(pair.right().receives().peek()).isEmpty();
  }

  @Test
  void anImmediateAndASolicitedEventArrive() {
    receive();
    post(new Wqe(WqeOpcode.SEND_IMM).immediate(0x1234).control(0x0a));
    RawCqe received = srq.cq().pollOne().require(CqeOpcode.RESP_SEND_IMM, 0);
    assertThat(received.immediate()).isEqualTo(0x1234);
    assertThat(received.solicited()).isTrue();
    done();
  }

  @Test
  void aSendInvalidatesAKeyOfTheQueuesDomain() {
    RawKey key = new RawKey(rig, target, context -> context.set(Mkc.EN_RINVAL, true));
    receive();
    post(new Wqe(WqeOpcode.SEND_INVAL).immediate(key.key()));
    done().require(CqeOpcode.REQ, 0);
    assertThat(srq.cq().pollOne().require(CqeOpcode.RESP_SEND_INV, 0).immediate())
        .isEqualTo(key.key());
  }

  @Test
  void aWriteNeedsNoReceive() {
    post(Wqe.write(target, 0).data(source, 0, 1000));
    done().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 1000)).isEqualTo(source.bytes(0, 1000));
    assertThat(srq.cq().peek()).isEmpty();
  }

  @Test
  void aWriteWithImmediateTakesAReceive() {
    srq.receiveNothing();
    post(
        new Wqe(WqeOpcode.RDMA_WRITE_IMM)
            .remote(target.address(0), target.key())
            .immediate(7)
            .data(source, 0, 1000));
    done().require(CqeOpcode.REQ, 0);
    RawCqe received = srq.cq().pollOne().require(CqeOpcode.RESP_WR_IMM, 0);
    assertThat(received.userIndex()).isEqualTo(RawXrcSrq.USER_INDEX);
    assertThat(received.immediate()).isEqualTo(7);
    assertThat(target.bytes(0, 1000)).isEqualTo(source.bytes(0, 1000));
  }

  @Test
  void aReadAndAtomicsAreAnswered() {
    target.fill(2).putLong(0, 10);
    post(Wqe.read(target, 8).data(source, 8, 1000));
    done().require(CqeOpcode.REQ, 0);
    assertThat(source.bytes(8, 1000)).isEqualTo(target.bytes(8, 1000));
    post(Wqe.fetchAndAdd(target, 0, 5).data(source, 0, 8));
    done().require(CqeOpcode.REQ, 1);
    assertThat(source.getLong(0)).isEqualTo(10);
    post(
        new Wqe(WqeOpcode.ATOMIC_CS)
            .remote(target.address(0), target.key())
            .words(99, 15)
            .data(source, 0, 8));
    done().require(CqeOpcode.REQ, 3);
    assertThat(source.getLong(0)).isEqualTo(15);
    assertThat(target.getLong(0)).isEqualTo(99);
  }

  @Test
  void aNopNeedsNoQueue() {
    pair.left().post(Wqe.nop());
    rig.settle();
    done().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aTargetAnswersBeforeItIsReadyToSend() {
    RawQp initiator = RawXrcSrq.initiator(rig);
    RawQp waiting = RawXrcSrq.target(rig, xrcd);
    Settings settings = new Settings();
    initiator.connect(waiting.number(), settings);
    waiting.object().modify(settings.toInit(waiting.number()).bytes());
    waiting.object().modify(settings.toRtr(waiting.number(), initiator.number()).bytes());
    receive();
    initiator.post(Wqe.send().xrc(srq.number()).data(source, 0, 64));
    rig.settle();
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  // ---- queues

  @Test
  void oneTargetServesAllQueuesOfItsDomain() {
    RawXrcSrq other = new RawXrcSrq(rig, xrcd);
    receive();
    other.receive(target.address(2048), 64, target.key());
    post(Wqe.send().data(source, 0, 64), other.number());
    post(Wqe.send().data(source, 64, 64), srq.number());
    pair.left().sends().poll(2);
    srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
    other.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes(2048, 64)).isEqualTo(source.bytes(0, 64));
    assertThat(target.bytes(0, 64)).isEqualTo(source.bytes(64, 64));
  }

  @Test
  void allTargetsOfADomainReceiveInOneQueue() {
    RawPair second = connect(new Settings());
    receive();
    receive();
    post(Wqe.send().data(source, 0, 64));
    second.left().post(Wqe.send().xrc(srq.number()).data(source, 64, 64));
    rig.settle();
    assertThat(srq.cq().poll(2))
        .extracting(RawCqe::qpn)
        .containsExactly(pair.right().number(), second.right().number());
  }

  @Test
  void remoteKeysBelongToTheDomainOfTheQueue() {
    HcaObject domain = rig.nic().allocateProtectionDomain();
    RawMemory elsewhere = rig.memory(domain, 64, HcaAccess.ALL);
    RawXrcSrq there = new RawXrcSrq(rig, xrcd, domain, rig.cq(4), 3);
    post(Wqe.write(elsewhere, 0).data(source, 0, 64), there.number());
    done().require(CqeOpcode.REQ, 0);
    assertThat(elsewhere.bytes()).isEqualTo(source.bytes(0, 64));
    post(Wqe.read(elsewhere, 0).data(source, 64, 64), there.number());
    done().require(CqeOpcode.REQ, 1);
    post(Wqe.write(elsewhere, 0).data(source, 0, 64));
    done()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            2,
            "keys of the domain of the SRQ that they name, here 0x%x"
                .formatted(rig.domain().number()),
            "rkey");
  }

  @Test
  void anEmptyQueueIsNotReady() {
    post(Wqe.send().data(source, 0, 64));
    assertThat(pair.left().sends().peek()).isEmpty();
    receive();
    rig.pass(10_000);
    done().require(CqeOpcode.REQ, 0);
    srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void anEmptyQueueIsNamedWhenTheRetriesAreUsedUp() {
    pair = connect(new Settings().rnrRetry(0));
    post(Wqe.send().data(source, 0, 64));
    done()
        .requireError(
            Syndrome.RNR_RETRY_EXC_ERR,
            0,
            "QP 0x%x has no receive WQE posted (shared receive queue 0x%x)"
                .formatted(pair.right().number(), srq.number()));
  }

  @Test
  void theLimitIsReportedOnce() {
    rig.subscribe(srq.object(), HcaEvent.SRQ_LIMIT);
    for (int i = 0; i < 4; i++) {
      receive();
    }
    srq.object().modify(srq.limit(3).bytes());
    post(Wqe.send());
    assertThat(rig.takeEvents()).isEmpty();
    post(Wqe.send());
    post(Wqe.send());
    assertThat(rig.takeEvents())
        .containsExactly(new HcaEvent(HcaEvent.SRQ_LIMIT, srq.number(), 0, HcaEvent.SRQ_LIMIT));
  }

  // ---- refusals

  private void expectRefused(String... explained) {
    rig.subscribe(pair.right().object(), HcaEvent.WQ_ACCESS_ERROR);
    receive();
    rig.settle();
    done().requireError(Syndrome.REMOTE_ACCESS_ERR, 0, (Object[]) explained);
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
    assertThat(srq.cq().peek()).isEmpty();
  }

  @Test
  void aQueueOfAnotherDomainIsRefused() {
    RawXrcSrq other = new RawXrcSrq(rig, RawXrcSrq.domain(rig));
    other.receive(target.address(0), 64, target.key());
    rig.subscribe(pair.right().object(), HcaEvent.WQ_ACCESS_ERROR);
    post(Wqe.send().data(source, 0, 64), other.number());
    expectRefused(
        "XRC SRQ 0x%x (srqn of the XRC segment) is in XRC domain".formatted(other.number()),
        "QP 0x%x is in 0x%x".formatted(pair.right().number(), xrcd.number()));
    assertThat(rig.takeEvents()).extracting(HcaEvent::type).contains(HcaEvent.WQ_ACCESS_ERROR);
    assertThat(other.cq().peek()).isEmpty();
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aQueueThatDoesNotExistIsRefused() {
    post(Wqe.send().data(source, 0, 64), 0x777777);
    expectRefused("no XRC SRQ 0x777777 exists (srqn of the XRC segment)");
  }

  @Test
  void aReceivePoolIsNotAnXrcSrq() {
    RawPool pool = new RawPool(rig, true, 2);
    post(Wqe.send(), pool.number());
    expectRefused("no XRC SRQ 0x%x exists".formatted(pool.number()));
  }

  @Test
  void aWriteNeedsAQueueForItsDomain() {
    post(Wqe.write(target, 0).data(source, 0, 64), 0);
    expectRefused("no XRC SRQ 0x0 exists");
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aReadNeedsAQueueForItsDomain() {
    post(Wqe.read(target, 0).data(source, 0, 64), 0);
    expectRefused("no XRC SRQ 0x0 exists");
  }

  @Test
  void anInitiatorOutsideOfAllDomainsTakesNoRequests() {
    RawPair initiators =
        RawPair.connect(RawXrcSrq.initiator(rig), RawXrcSrq.initiator(rig), new Settings());
    initiators.left().post(Wqe.send().xrc(srq.number()));
    rig.settle();
    initiators
        .left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "is in XRC domain", "is in 0x0 (xrcd)");
  }

  @Test
  void aPieceThatNamesAnotherQueueIsRefused() {
    RawXrcSrq other = new RawXrcSrq(rig, xrcd);
    fabric.onRequest(
        request -> {
          if (FaultyFabric.is(request, BthOpcode.SEND_LAST)) {
            request.srqn = other.number();
          }
          return Fate.DELIVER;
        });
    receive();
    post(Wqe.send().data(source, 0, 2 * MTU));
    done()
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            0,
            "continues a message for SRQ 0x%x but names SRQ 0x%x"
                .formatted(srq.number(), other.number()));
    RawCqe failed = srq.cq().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "continues");
    assertThat(failed.userIndex()).isEqualTo(RawXrcSrq.USER_INDEX);
  }

  @Test
  void aMessageThatIsTooLongFailsBothEnds() {
    srq.receive(target.address(0), 100, target.key());
    post(Wqe.send().data(source, 0, 101));
    done().requireError(Syndrome.REMOTE_INVAL_REQ_ERR, 0, "101 bytes", "100 bytes");
    srq.cq().pollOne().requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "101 bytes");
  }

  @Test
  void aRequestWithoutItsSegmentIsMalformed() {
    pair.left().post(Wqe.send());
    rig.settle();
    done().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "ds 1 is too small for opcode SEND");
    assertThat(pair.left().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void anOpcodeThatXrcLacksIsRefused() {
    post(new Wqe(WqeOpcode.TSO));
    done().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "not supported by an XRC send queue");
  }

  // ---- services

  private void expectDropped(RawPair mixed, String why) {
    mixed.left().post(Wqe.write(target, 0).xrc(srq.number()).data(source, 0, 64));
    rig.settle();
    rig.pass(1L << 30);
    mixed.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, why);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aPlainConnectionTakesNothingFromAnInitiator() {
    Settings settings = new Settings().retryCount(0);
    expectDropped(
        RawPair.connect(RawXrcSrq.initiator(rig), rig.qp(rig.cq(4)), settings),
        "is of service RC (st) and takes no requests from");
  }

  @Test
  void aTargetTakesNothingFromAPlainConnection() {
    fabric.direct(true);
    RawPair mixed =
        RawPair.connect(
            rig.qp(rig.cq(4)), RawXrcSrq.target(rig, xrcd), new Settings().retryCount(0));
    mixed.left().post(Wqe.write(target, 0).data(source, 0, 64));
    rig.settle();
    rig.pass(1L << 30);
    mixed
        .left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "is of service XRC (st) and takes no requests from");
    assertThat(target.bytes()).containsOnly(0);
  }

  // ---- ends

  @Test
  void aTargetThatFailsReportsItsLastWqeAndLeavesTheQueueAlone() {
    RawPair other = connect(new Settings());
    rig.subscribe(pair.right().object(), HcaEvent.SRQ_LAST_WQE);
    rig.subscribe(pair.left().object(), HcaEvent.SRQ_LAST_WQE);
    receive();
    pair.right().toError();
    pair.left().toError();
    rig.settle();
    assertThat(rig.takeEvents())
        .containsExactly(
            new HcaEvent(HcaEvent.SRQ_LAST_WQE, pair.right().number(), 0, HcaEvent.SRQ_LAST_WQE));
    assertThat(srq.cq().peek()).isEmpty();
    other.left().post(Wqe.send().xrc(srq.number()).data(source, 0, 64));
    rig.settle();
    srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  /** Sends a message whose second packet never comes. */
  private void sendHalf() {
    AtomicInteger packets = new AtomicInteger();
    fabric.onRequest(request -> packets.getAndIncrement() == 0 ? Fate.DELIVER : Fate.LOSE);
    receive();
    post(Wqe.send().data(source, 0, 2 * MTU));
  }

  @Test
  void theReceiveOfAMessageThatWasArrivingIsFlushedInItsQueue() {
    sendHalf();
    pair.right().toError();
    rig.settle();
    RawCqe flushed = srq.cq().pollOne().requireError(Syndrome.WR_FLUSH_ERR, 0);
    assertThat(flushed.userIndex()).isEqualTo(RawXrcSrq.USER_INDEX);
  }

  @Test
  void aQueueDestroyedDuringAMessageIsNotTouchedAgain() {
    sendHalf();
    List<RawCqe> before = srq.cq().peek();
    srq.object().close();
    srq.cq().object().close();
    fabric.carryAllRequests();
    rig.pass(1L << 30);
    done().requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "no XRC SRQ 0x%x".formatted(srq.number()));
    assertThat(srq.cq().peek()).isEqualTo(before);
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aPieceOfAMessageWhoseQueueEndedContinuesNoOther() {
    RawXrcSrq other = new RawXrcSrq(rig, xrcd);
    other.receive(target.address(2048), 2048, target.key());
    sendHalf();
    srq.object().close();
    fabric.onRequest(
        request -> {
          request.srqn = other.number();
          return Fate.DELIVER;
        });
    rig.pass(1L << 30);
    done().requireError(Syndrome.REMOTE_INVAL_REQ_ERR, 0, "while none is arriving");
    assertThat(other.cq().peek()).isEmpty();
  }

  @Test
  void aMessageForAQueueThatEndedIsRefused() {
    int gone = srq.number();
    receive();
    post(Wqe.send().data(source, 0, 64));
    done().require(CqeOpcode.REQ, 0);
    srq.cq().poll(1);
    srq.object().close();
    post(Wqe.send().data(source, 0, 64), gone);
    done().requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "no XRC SRQ 0x%x exists".formatted(gone));
  }

  @Test
  void destroyingAnotherQueueChangesNothing() {
    RawXrcSrq other = new RawXrcSrq(rig, xrcd);
    sendHalf();
    other.object().close();
    fabric.carryAllRequests();
    rig.pass(1L << 30);
    done().require(CqeOpcode.REQ, 0);
    srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes(0, 2 * MTU)).isEqualTo(source.bytes(0, 2 * MTU));
  }

  @Test
  void aTargetStartsAgainAfterAReset() {
    sendHalf();
    fabric.carryAllRequests();
    pair.left().reset();
    pair.right().object().modify(pair.right().transition(CommandOpcode.QP_2RST).bytes());
    pair.left().connect(pair.right().number(), new Settings());
    pair.right().connect(pair.left().number(), new Settings());
    receive();
    post(Wqe.send().data(source, 0, 64));
    done().require(CqeOpcode.REQ, 0);
    srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 1);
  }
}
