package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WAIT, SEND_EN and RECV_EN, and the queues that are managed by them. */
class CrossChannelTest extends CrossChannels {
  private final RawQp master = master();
  private final RawQp worker = worker();
  private final RawQp other = loop(new RawQpPlan(rig.cq(6)));

  private Wqe copy(long from, long to) {
    return Wqe.write(memory, to).data(memory, from, 8);
  }

  private void expectRefused(RawQp qp, Object... explained) {
    rig.settle();
    qp.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, explained);
    assertThat(qp.state()).isEqualTo(QpState.ERR);
  }

  // ---- waiting

  @Test
  void aWaitHoldsItsQueueUntilTheCqHasProducedMoreThanItsIndex() {
    master.post(Wqe.await(other.sends(), 1));
    master.post(Wqe.nop());
    rig.settle();
    assertThat(master.sends().poll()).isEmpty();
    other.post(Wqe.nop());
    rig.settle();
    assertThat(master.sends().poll()).isEmpty();
    other.post(Wqe.nop());
    rig.settle();
    master.sends().poll(2).get(0).require(CqeOpcode.REQ, 0);
  }

  @Test
  void aWaitForAnEarlierCompletionHoldsNothing() {
    for (int i = 0; i < 3; i++) {
      other.post(Wqe.nop());
    }
    rig.settle();
    master.post(Wqe.await(other.sends(), 2));
    rig.settle();
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void anIndexIsComparedAsASignedNumberOf24Bits() {
    master.post(Wqe.await(other.sends(), 0xffffff));
    master.post(Wqe.await(other.sends(), 0x800001));
    master.post(Wqe.await(other.sends(), 0x7fffff).unsignalled());
    rig.settle();
    master.sends().poll(2);
    assertThat(rig.nic().diagnosis().orElseThrow().objects().toString())
        .contains(
            "WQE 2 (WAIT) waits until CQ 0x%x has produced more than 8388607 completions; it has produced 0"
                .formatted(other.sends().number()));
  }

  @Test
  void errorCompletionsSatisfyAWait() {
    master.post(Wqe.await(other.sends(), 0));
    other.post(Wqe.write(memory, 0).data(memory, 0, 8).qpn(7));
    rig.settle();
    assertThat(other.sends().pollOne().isError()).isTrue();
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void requestsWithoutACqeAdvanceNoWait() {
    master.post(Wqe.await(other.sends(), 0));
    other.post(Wqe.nop().unsignalled());
    rig.settle();
    assertThat(master.sends().poll()).isEmpty();
    other.post(Wqe.nop());
    rig.settle();
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aQueueMayWaitForItsOwnCompletions() {
    memory.putLong(0, 7);
    master.post(copy(0, 8));
    master.post(Wqe.await(master.sends(), 0));
    master.post(copy(8, 16).control(ControlSegment.CE_ALWAYS));
    rig.settle();
    master.sends().poll(3).get(1).require(CqeOpcode.REQ, 1);
    assertThat(memory.getLong(16)).isEqualTo(7);
  }

  @Test
  void manyQueuesWaitForOneCqAndResumeInTurn() {
    RawQp second = master();
    RawQp third = master();
    third.post(Wqe.await(other.sends(), 2));
    second.post(Wqe.await(other.sends(), 1));
    master.post(Wqe.await(other.sends(), 0));
    rig.settle();
    assertThat(rig.nic().diagnosis().orElseThrow().objects().toString())
        .contains("3 send queues wait for it");
    for (RawQp next : new RawQp[] {master, second, third}) {
      assertThat(next.sends().poll()).isEmpty();
      other.post(Wqe.nop());
      rig.settle();
      next.sends().pollOne().require(CqeOpcode.REQ, 0);
    }
  }

  @Test
  void aQueueThatWaitsCostsNothing() {
    master.post(Wqe.await(other.sends(), 0));
    rig.settle();
    assertThat(rig.nic().step()).isZero();
  }

  @Test
  void waitsOnACqThatIgnoresOverrunCountAllCompletions() {
    RawCq unpolled = unpolled(1);
    RawQp counted = loop(new RawQpPlan(unpolled));
    master.post(Wqe.await(unpolled, 9));
    for (int i = 0; i < 10; i++) {
      rig.settle();
      assertThat(master.sends().poll()).isEmpty();
      counted.post(Wqe.nop());
    }
    rig.settle();
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  // ---- enabling

  @Test
  void aManagedQueueIsExecutedUpToTheIndexThatWasEnabled() {
    for (int i = 0; i < 3; i++) {
      worker.write(Wqe.nop());
    }
    rig.settle();
    assertThat(worker.sends().poll()).isEmpty();
    master.post(Wqe.enableSends(worker, 2));
    rig.settle();
    worker.sends().poll(2).get(1).require(CqeOpcode.REQ, 1);
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aDoorbellEnablesAManagedQueueAsASendEnDoes() {
    worker.write(Wqe.nop());
    worker.write(Wqe.nop());
    master.post(Wqe.enableSends(worker, 1));
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
    worker.writeRecord();
    worker.ring(1);
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 1);
    // A SEND_EN continues from there.
    worker.write(Wqe.nop());
    master.post(Wqe.enableSends(worker, 2));
    rig.settle();
    assertThat(worker.sends().poll()).isEmpty();
    master.post(Wqe.enableSends(worker, 3));
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 2);
    assertThat(rig.explanations()).isEmpty();
  }

  @Test
  void aRecordOfAManagedQueueWithoutADoorbellEnablesNothing() {
    worker.write(Wqe.nop());
    worker.writeRecord();
    rig.settle();
    assertThat(worker.sends().poll()).isEmpty();
  }

  @Test
  void anOverwrittenDoorbellOfAManagedQueueIsMadeUpFor() {
    worker.write(Wqe.nop());
    worker.writeRecord();
    worker.ring(0);
    other.post(Wqe.nop());
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aDoorbellOfARecordThatIsNotAheadDoesNothing() {
    worker.write(Wqe.nop());
    worker.writeRecord();
    worker.write(Wqe.nop());
    worker.write(Wqe.nop());
    master.post(Wqe.enableSends(worker, 2));
    rig.settle();
    worker.sends().poll(2);
    worker.ring(0);
    rig.settle();
    assertThat(worker.sends().poll()).isEmpty();
    assertThat(worker.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(2);
  }

  @Test
  void aDoorbellOfAManagedQueueWhoseRecordWasNotWrittenIsExplained() {
    worker.write(Wqe.nop());
    worker.ring(0);
    rig.settle();
    assertThat(worker.sends().poll()).isEmpty();
    assertThat(rig.explanation())
        .contains(
            "a doorbell of QP 0x%x names WQE 0".formatted(worker.number()), "send counter", "is 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 1, 0, 0x8003, 0xffff})
  void anIndexThatIsNotAheadDoesNothing(int stale) {
    for (int i = 0; i < 3; i++) {
      worker.write(Wqe.nop());
    }
    master.post(Wqe.enableSends(worker, 2));
    master.post(Wqe.enableSends(worker, stale));
    rig.settle();
    master.sends().poll(2);
    worker.sends().poll(2);
    assertThat(worker.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(2);
  }

  @Test
  void onlySixteenBitsOfAnIndexCount() {
    worker.write(Wqe.nop());
    master.post(Wqe.enableSends(worker, 0x7fff_0001));
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aRequestThatIsEnabledInPartWaitsForItsRest() {
    worker.write(Wqe.write(memory, 8).inline(new byte[100]));
    master.post(Wqe.enableSends(worker, 1));
    rig.settle();
    assertThat(worker.sends().poll()).isEmpty();
    master.post(Wqe.enableSends(worker, 3));
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aRequestLongerThanItsManagedQueueFailsAndIsExplained() {
    RawQp small = loop(new RawQpPlan(rig.cq(4)).sizes(0, 2, 4).managedSends());
    small.write(Wqe.nop().ds(5));
    master.post(Wqe.enableSends(small, 2));
    rig.settle();
    small
        .sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR, 0, "makes the WQE 2 WQEBBs long, but the queue has only 1");
  }

  @Test
  void aRequestMayBeRewrittenUntilItIsEnabled() {
    worker.write(Wqe.write(memory, 0).inline(new byte[] {1, 1, 1, 1}));
    rig.settle();
    worker.writeBytes(
        0, Wqe.write(memory, 0).inline(new byte[] {2, 2, 2, 2}).bytes(0, worker.number()));
    master.post(Wqe.enableSends(worker, 1));
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(memory.bytes(0, 4)).containsOnly(2);
  }

  @Test
  void anEnableTakesEffectOnceEarlierRequestsHaveBegun() {
    RawQp sender = rig.qp(new RawQpPlan(rig.cq(6)).master());
    RawQp receiver = rig.qp(rig.cq(6));
    sender.connect(receiver.number(), new Settings());
    receiver.connect(sender.number(), new Settings());
    worker.write(Wqe.nop());
    sender.write(Wqe.send().data(memory, 0, 8));
    int last =
        sender.write(
            Wqe.enableSends(worker, 1)
                .control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE_STRONG));
    sender.writeRecord();
    sender.ring(last);
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(sender.sends().poll()).isEmpty();
    receiver.receive(memory.address(64), 8, memory.key());
    rig.pass(1_000_000);
    sender.sends().poll(2).get(1).require(CqeOpcode.REQ, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, ControlSegment.FENCE_SMALL})
  void aSmallFenceLetsTheKeysChangeBeforeTheEnable(int fence) {
    RawWindow window = new RawWindow(rig);
    worker.write(Wqe.nop());
    // A refused bind, which shows which requests begin before it and which do not.
    master.write(window.bind(master, 0, 1, memory, 0, 64).offset(4).wqe());
    master.post(Wqe.enableSends(worker, 1).control(ControlSegment.CE_ALWAYS | fence));
    rig.settle();
    assertThat(master.sends().poll(2).getFirst().syndrome()).isEqualTo(Syndrome.MW_BIND_ERR);
    assertThat(worker.sends().poll()).hasSize(fence == 0 ? 1 : 0);
  }

  @Test
  void anEnableThatIsSentAgainDoesNotTakeEffectTwice() {
    RawQp sender = rig.qp(new RawQpPlan(rig.cq(6)).master());
    RawQp receiver = rig.qp(rig.cq(6));
    sender.connect(receiver.number(), new Settings());
    receiver.connect(sender.number(), new Settings());
    sender.post(Wqe.send().data(memory, 0, 8));
    sender.post(Wqe.enableSends(worker, 0x7fff));
    worker.write(Wqe.nop().qpn(1));
    rig.settle();
    worker.reset();
    worker.connect(worker.number(), new Settings());
    receiver.receive(memory.address(64), 8, memory.key());
    rig.pass(1_000_000);
    sender.sends().poll(2);
    assertThat(worker.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isZero();
  }

  @Test
  void enablingAQueueInRstHasNoEffect() {
    RawQp unconnected = rig.qp(new RawQpPlan(rig.cq(6)).managedSends().managedReceives());
    unconnected.write(Wqe.nop());
    master.post(Wqe.enableSends(unconnected, 1));
    master.post(Wqe.enableReceives(unconnected, 1));
    rig.settle();
    master.sends().poll(2);
    unconnected.connect(unconnected.number(), new Settings());
    rig.settle();
    assertThat(unconnected.sends().poll()).isEmpty();
  }

  @Test
  void aManagedQueueMayBeAMasterAndEnableItself() {
    RawQp both = loop(new RawQpPlan(rig.cq(6)).managedSends().master());
    both.write(Wqe.enableSends(both, 2));
    both.write(Wqe.enableSends(both, 3));
    both.write(Wqe.nop());
    master.post(Wqe.enableSends(both, 1));
    rig.settle();
    both.sends().poll(3).get(2).require(CqeOpcode.REQ, 2);
  }

  // ---- receives

  @Test
  void aManagedReceiveQueueIsUsedUpToTheCounterThatWasEnabled() {
    RawQp receiver = rig.qp(new RawQpPlan(rig.cq(6)).managedReceives());
    RawQp sender = rig.qp(rig.cq(6));
    sender.connect(receiver.number(), new Settings());
    receiver.connect(sender.number(), new Settings());
    receiver.receive(memory.address(64), 8, memory.key());
    receiver.receive(memory.address(72), 8, memory.key());
    memory.putLong(0, 7);
    sender.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    assertThat(receiver.receives().poll()).isEmpty();
    master.post(Wqe.enableReceives(receiver, 1));
    master.post(Wqe.enableReceives(receiver, 0));
    rig.pass(1_000_000);
    receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(memory.getLong(64)).isEqualTo(7);
    sender.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    assertThat(receiver.receives().poll()).isEmpty();
  }

  @Test
  void aManagedReceiveQueueMayBeUsedAgainWithoutPosting() {
    RawQp receiver = rig.qp(new RawQpPlan(rig.cq(6)).sizes(4, 1, 4).managedReceives());
    RawQp sender = rig.qp(rig.cq(6));
    sender.connect(receiver.number(), new Settings());
    receiver.connect(sender.number(), new Settings());
    receiver.receive(memory.address(64), 8, memory.key());
    receiver.receive(memory.address(72), 8, memory.key());
    master.post(Wqe.enableReceives(receiver, 5));
    rig.settle();
    for (int i = 0; i < 5; i++) {
      memory.putLong(0, i);
      sender.post(Wqe.send().data(memory, 0, 8));
      rig.settle();
      receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, i);
      assertThat(memory.getLong(64 + i % 2 * 8)).isEqualTo(i);
    }
  }

  @Test
  void aCounterIsAheadByLessThanHalfOfAllNumbers() {
    RawQp receiver = rig.qp(new RawQpPlan(rig.cq(6)).sizes(4, 1, 4).managedReceives());
    RawQp sender = rig.qp(rig.cq(6));
    sender.connect(receiver.number(), new Settings());
    receiver.connect(sender.number(), new Settings());
    receiver.receive(memory.address(64), 8, memory.key());
    receiver.receive(memory.address(72), 8, memory.key());
    master.post(Wqe.enableReceives(receiver, 0x8000));
    sender.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    assertThat(receiver.receives().poll()).isEmpty();
    master.post(Wqe.enableReceives(receiver, 0x7fff));
    rig.pass(1_000_000);
    receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  // ---- refusals

  @ParameterizedTest
  @ValueSource(ints = {WqeOpcode.WAIT, WqeOpcode.SEND_EN, WqeOpcode.RECV_EN})
  void aQueueThatIsNotAMasterRefusesCrossChannelRequests(int opcode) {
    other.post(new Wqe(opcode).queue(worker.number(), 1));
    expectRefused(other, "cd_master");
  }

  @Test
  void aCqThatDoesNotExistIsNotWaitedFor() {
    master.post(new Wqe(WqeOpcode.WAIT).queue(0x7777, 0));
    expectRefused(master, "cqn 0x7777 does not name a completion queue");
  }

  @Test
  void aCqOfAnotherClientIsNotWaitedFor() {
    RawCq theirs = RawCq.ofClient(rig, 4, 7);
    master.post(Wqe.await(theirs, 0));
    expectRefused(master, "was created with uid 0x7", "clients can wait only for CQs of their own");
  }

  @Test
  void clientsWaitForCqsOfTheirOwn() {
    RawQp own = loop(new RawQpPlan(RawCq.ofClient(rig, 4, 7)).master());
    own.post(Wqe.await(RawCq.ofClient(rig, 4, 7), 0xffffff));
    rig.settle();
    assertThat(own.sends().poll()).hasSize(1);
    assertThat(own.state()).isEqualTo(QpState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {WqeOpcode.SEND_EN, WqeOpcode.RECV_EN})
  void aQueuePairThatDoesNotExistIsNotEnabled(int opcode) {
    master.post(new Wqe(opcode).queue(0x7777, 0));
    expectRefused(master, "qpn 0x7777 does not name a queue pair");
  }

  @Test
  void aSendQueueThatIsNotManagedIsNotEnabled() {
    master.post(Wqe.enableSends(other, 1));
    expectRefused(master, "the send queue of QP 0x", "cd_slave_send");
  }

  @Test
  void aReceiveQueueThatIsNotManagedIsNotEnabled() {
    master.post(Wqe.enableReceives(worker, 1));
    expectRefused(master, "the receive queue of QP 0x", "cd_slave_receive");
  }

  @Test
  void aQueueOfAnotherDomainIsNotEnabled() {
    HcaObject domain = rig.nic().allocateProtectionDomain();
    RawQp foreign =
        rig.qp(
            new RawQpPlan(rig.cq(4))
                .managedSends()
                .change(c -> c.set(Qpc.CD_SLAVE_SEND, true).set(Qpc.PD, domain.number())));
    foreign.write(Wqe.nop());
    master.post(Wqe.enableSends(foreign, 1));
    expectRefused(master, "protection domain 0x%x".formatted(domain.number()));
    assertThat(foreign.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isZero();
  }

  // ---- ends

  @Test
  void destroyingACqFailsTheWaitsForIt() {
    RawCq unused = rig.cq(2);
    master.post(Wqe.await(unused, 0));
    rig.settle();
    unused.object().close();
    expectRefused(master, "does not name a completion queue");
  }

  @Test
  void destroyingACqEndsACrowdOfWaitsSomeOfWhichEndBeforeTheyAreWoken() {
    RawCq unused = rig.cq(2);
    List<RawQp> crowd = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      crowd.add(master());
      crowd.getLast().post(Wqe.await(unused, 0));
    }
    rig.settle();
    unused.object().close();
    crowd.subList(20, 40).forEach(gone -> gone.object().close());
    crowd.subList(20, 40).clear();
    rig.settle();
    for (RawQp failed : crowd) {
      expectRefused(failed, "does not name a completion queue");
    }
  }

  @Test
  void aQueuePairThatWaitsMayBeDestroyed() {
    master.post(Wqe.await(other.sends(), 0));
    rig.settle();
    master.object().close();
    other.post(Wqe.nop());
    rig.settle();
    other.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aQueuePairThatIsEnabledMayBeDestroyed() {
    master.post(Wqe.await(other.sends(), 0));
    master.post(Wqe.enableSends(worker, 1));
    rig.settle();
    worker.object().close();
    other.post(Wqe.nop());
    rig.settle();
    master
        .sends()
        .poll(2)
        .get(1)
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 1, "does not name a queue pair");
  }

  @Test
  void aQueueThatWaitsIsFlushed() {
    master.post(Wqe.await(other.sends(), 0));
    master.post(Wqe.nop());
    rig.settle();
    master.toError();
    rig.settle();
    for (RawCqe cqe : master.sends().poll(2)) {
      assertThat(cqe.isError()).isTrue();
    }
    other.post(Wqe.nop());
    rig.settle();
    assertThat(master.sends().poll()).isEmpty();
  }

  @Test
  void aResetEndsTheWait() {
    master.post(Wqe.await(other.sends(), 0));
    rig.settle();
    master.reset();
    master.connect(master.number(), new Settings());
    master.post(Wqe.await(other.sends(), 1));
    other.post(Wqe.nop());
    rig.settle();
    assertThat(master.sends().poll()).isEmpty();
    other.post(Wqe.nop());
    rig.settle();
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void onlyEnabledRequestsOfAManagedQueueAreFlushed() {
    worker.write(Wqe.nop());
    worker.write(Wqe.nop());
    worker.toError();
    master.post(Wqe.enableSends(worker, 1));
    rig.settle();
    worker.sends().pollOne().requireError(Syndrome.WR_FLUSH_ERR, 0);
  }

  @Test
  void aResetStartsAManagedQueueAtZero() {
    worker.write(Wqe.nop());
    master.post(Wqe.enableSends(worker, 1));
    rig.settle();
    worker.sends().pollOne();
    worker.reset();
    worker.connect(worker.number(), new Settings());
    worker.write(Wqe.nop());
    rig.settle();
    assertThat(worker.sends().poll()).isEmpty();
    master.post(Wqe.enableSends(worker, 1));
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  // ---- other kinds

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void unreliableQueuesWaitAndEnableAndAreManaged(int service) {
    RawQp first = loop(new RawQpPlan(rig.cq(6)).service(service).master());
    RawQp second = loop(new RawQpPlan(rig.cq(6)).service(service).managedSends());
    expectEnabled(first, second);
  }

  @Test
  void initiatorsOfXrcWaitAndEnableAndAreManaged() {
    HcaObject xrcd = RawXrcSrq.domain(rig);
    RawQp first = rig.qp(RawXrcSrq.initiatorPlan(rig.cq(6)).master());
    RawQp second = rig.qp(RawXrcSrq.initiatorPlan(rig.cq(6)).managedSends());
    RawPair.connect(first, RawXrcSrq.target(rig, xrcd), new Settings());
    RawPair.connect(second, RawXrcSrq.target(rig, xrcd), new Settings());
    expectEnabled(first, second);
  }

  @Test
  void dynamicallyConnectedInitiatorsWaitAndEnableAndAreManaged() {
    RawQp first = rig.qp(DynamicConnections.plan(rig).master());
    RawQp second = rig.qp(DynamicConnections.plan(rig).managedSends());
    first.connect(0, DynamicConnections.settings());
    second.connect(0, DynamicConnections.settings());
    expectEnabled(first, second);
  }

  @Test
  void aStreamThatWaitsHoldsNoOtherStream() {
    RawQp streams =
        rig.qp(
            DynamicConnections.plan(rig)
                .change(c -> c.set(Qpc.CD_MASTER, true).set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, 1)));
    streams.connect(0, DynamicConnections.settings());
    streams.post(Wqe.await(other.sends(), 0).stream(0));
    streams.post(Wqe.nop().stream(1));
    rig.settle();
    streams.sends().pollOne().require(CqeOpcode.REQ, 1);
    other.post(Wqe.nop());
    rig.settle();
    streams.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  private void expectEnabled(RawQp first, RawQp second) {
    second.write(Wqe.nop());
    first.post(Wqe.await(other.sends(), 0));
    first.post(Wqe.enableSends(second, 1));
    rig.settle();
    assertThat(first.sends().poll()).isEmpty();
    assertThat(rig.nic().diagnosis().orElseThrow().objects().toString())
        .contains("WQE 0 (WAIT) waits until CQ 0x%x".formatted(other.sends().number()));
    other.post(Wqe.nop());
    rig.settle();
    first.sends().poll(2).get(1).require(CqeOpcode.REQ, 1);
    second.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void anUnreliableQueueThatIsNotAMasterRefusesAWait() {
    RawQp plain = loop(new RawQpPlan(rig.cq(6)).service(1));
    plain.post(Wqe.await(other.sends(), 0));
    rig.settle();
    plain.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "cd_master");
    assertThat(plain.state()).isEqualTo(QpState.SQER);
  }
}
