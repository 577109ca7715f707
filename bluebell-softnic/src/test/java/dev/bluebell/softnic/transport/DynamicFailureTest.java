package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failures of dynamic connections: what each end reports, and what continues. */
class DynamicFailureTest extends DynamicConnections {
  private static final long SECOND = 1_000_000_000;

  private final RawQp impatient = initiator(settings().retryCount(1).timeout(8));

  /** Posts a request that gets no response, and returns its completion. */
  private RawCqe unanswered(Wqe wqe) {
    impatient.post(wqe);
    rig.settle();
    for (int i = 0; i < 3; i++) {
      rig.pass(SECOND);
    }
    RawCqe end = impatient.sends().pollOne();
    assertThat(impatient.state()).isEqualTo(QpState.ERR);
    return end;
  }

  private void expectUnanswered(Wqe wqe, Object... explained) {
    unanswered(wqe).requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, explained);
  }

  private Wqe to(int dctn, long key, Gid gid) {
    return Wqe.dynamic(WqeOpcode.SEND, dctn, key, Addresses.LINK_LOCAL, gid).data(source, 0, 8);
  }

  @Test
  void aWrongKeyIsDroppedCountedAndExplainedAtBothEnds() {
    rig.subscribe(target.object(), HcaEvent.DCT_KEY_VIOLATION);
    target.arm();
    receive(1, 64);
    expectUnanswered(
        to(target.number(), 0x99, Addresses.gid(Addresses.LINK_LOCAL)),
        "its last packet was dropped",
        "dc_key 0x99 of the address vector is not the dc_access_key of DCT 0x%x"
            .formatted(target.number()));
    assertThat(target.query().getInt(Dctc.DC_ACCESS_KEY_VIOLATION_COUNT)).isEqualTo(2);
    assertThat(rig.takeEvents()).as("armed once").hasSize(1);
    assertThat(String.join("\n", rig.explanations()))
        .contains("DCT 0x%x, message 1 was silently dropped: dc_key".formatted(target.number()));
    assertThat(String.join("\n", rig.nic().diagnosis().orElseThrow().objects()))
        .contains("0 sessions, 2 requests with another key");
    initiator.post(send(target, 8));
    rig.settle();
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aRequestThatIsDroppedManyTimesIsExplainedRarely() {
    RawQp stubborn = initiator(settings().retryCount(6).timeout(8));
    stubborn.post(to(target.number(), 0x99, Addresses.gid(Addresses.LINK_LOCAL)));
    rig.settle();
    for (int i = 0; i < 8; i++) {
      rig.pass(SECOND);
    }
    assertThat(target.query().getInt(Dctc.DC_ACCESS_KEY_VIOLATION_COUNT)).isEqualTo(7);
    assertThat(rig.explanations())
        .filteredOn(line -> line.contains("silently dropped"))
        .extracting(line -> line.replaceAll(".*message (\\d) was silently.*", "$1"))
        .containsExactly("1", "2", "4");
  }

  @Test
  void aKeyViolationRaisesNoEventUnlessArmed() {
    rig.subscribe(target.object(), HcaEvent.DCT_KEY_VIOLATION);
    unanswered(to(target.number(), Addresses.LINK_LOCAL, Addresses.gid(Addresses.LINK_LOCAL)));
    assertThat(rig.takeEvents()).isEmpty();
  }

  @Test
  void aTargetThatDoesNotExistAnswersNothing() {
    expectUnanswered(
        to(0x777777, RawDct.KEY, Addresses.gid(Addresses.LINK_LOCAL)),
        "no DCT 0x777777 exists (dqp_dct)");
  }

  @Test
  void aQueuePairIsNotReachedAsATarget() {
    expectUnanswered(
        to(initiator.number(), RawDct.KEY, Addresses.gid(Addresses.LINK_LOCAL)),
        "no DCT 0x%x exists".formatted(initiator.number()));
  }

  @Test
  void aGidThatNoPortHasAnswersNothing() {
    expectUnanswered(
        to(target.number(), RawDct.KEY, new Gid(1, 2)),
        "no port of this device reaches the destination GID");
  }

  @Test
  void aTargetIsReachedAtItsOwnGidOnly() {
    expectUnanswered(
        to(target.number(), RawDct.KEY, Addresses.gid(Addresses.IPV4)),
        "is at GID",
        "my_addr_index",
        "not at");
  }

  @Test
  void aDrainedTargetAnswersNothing() {
    rig.subscribe(target.object(), HcaEvent.DCT_DRAINED);
    target.drain();
    assertThat(rig.takeEvents()).extracting(HcaEvent::type).containsExactly(HcaEvent.DCT_DRAINED);
    assertThat(target.query().getInt(Dctc.STATE)).isEqualTo(Dctc.STATE_DRAINED);
    expectUnanswered(
        to(target.number(), RawDct.KEY, Addresses.gid(Addresses.LINK_LOCAL)),
        "DCT 0x%x is drained".formatted(target.number()));
  }

  @Test
  void requestsOfConnectionsDoNotReachAnInitiator() {
    RawQp connected = rig.pair(settings().retryCount(0).timeout(8)).left();
    RawQp lost = rig.qp(rig.cq(4));
    lost.connect(initiator.number(), settings().retryCount(0).timeout(8));
    lost.post(Wqe.write(memory, 0).data(source, 0, 8));
    rig.settle();
    rig.pass(SECOND);
    lost.sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "is of service DCI", "takes no requests from");
    assertThat(connected.state()).isEqualTo(QpState.RTS);
    assertThat(memory.bytes(0, 8)).containsOnly(0);
  }

  // ---- refusals

  @Test
  void aRefusedAccessFailsTheInitiatorAndRaisesAnEventAtTheTarget() {
    rig.subscribe(target.object(), HcaEvent.WQ_ACCESS_ERROR);
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
            .remote(memory.address(0), 0x999999)
            .data(source, 0, 8));
    initiator.post(send(target, 8));
    rig.settle();
    List<RawCqe> ends = initiator.sends().poll(2);
    ends.get(0)
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR, 0, "DCT 0x%x refused".formatted(target.number()), "rkey");
    assertThat(ends.get(0).vendorSyndrome()).isEqualTo(0x88);
    ends.get(1).requireError(Syndrome.WR_FLUSH_ERR, 2);
    assertThat(initiator.state()).isEqualTo(QpState.ERR);
    assertThat(rig.takeEvents())
        .extracting(HcaEvent::type, HcaEvent::number)
        .containsExactly(tuple(HcaEvent.WQ_ACCESS_ERROR, target.number()));
    receive(1, 64);
    impatient.post(send(target, 8));
    rig.settle();
    impatient.sends().pollOne().require(CqeOpcode.REQ, 0);
    target.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void anAccessWithoutTheTargetsRightIsAnInvalidRequest() {
    RawDct readOnly = new RawDct(rig, target.cq(), pool, c -> c.set(Dctc.RWE, false));
    rig.subscribe(readOnly.object(), HcaEvent.WQ_INVALID_REQUEST);
    initiator.post(write(readOnly, 0, 8));
    rig.settle();
    RawCqe end = initiator.sends().pollOne();
    end.requireError(
        Syndrome.REMOTE_INVAL_REQ_ERR,
        0,
        "needs rwe, which DCT 0x%x does not have".formatted(readOnly.number()));
    assertThat(end.vendorSyndrome()).isEqualTo(0x8a);
    assertThat(rig.takeEvents())
        .extracting(HcaEvent::type)
        .containsExactly(HcaEvent.WQ_INVALID_REQUEST);
  }

  @Test
  void aMessageTooLongForItsReceiveFailsAtBothEnds() {
    receive(2, 64);
    initiator.post(send(target, 65));
    rig.settle();
    initiator.sends().pollOne().requireError(Syndrome.REMOTE_INVAL_REQ_ERR, 0);
    target.cq().pollOne().requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "does not fit the 64 bytes");
    impatient.post(send(target, 64));
    rig.settle();
    target.cq().pollOne().require(CqeOpcode.RESP_SEND, 1);
  }

  @Test
  void anInitiatorThatFailedWorksAfterAReset() {
    receive(1, 64);
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
            .remote(memory.address(0), 0x999999)
            .data(source, 0, 8));
    rig.settle();
    assertThat(initiator.sends().pollOne().isError()).isTrue();
    initiator.reset();
    initiator.connect(0, settings());
    initiator.post(send(target, 8));
    rig.settle();
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aMissingReceiveIsRetriedAsOftenAsRnrRetrySays() {
    RawQp hasty = initiator(settings().rnrRetry(1));
    hasty.post(send(target, 8));
    rig.settle();
    rig.pass(SECOND);
    rig.pass(SECOND);
    hasty
        .sends()
        .pollOne()
        .requireError(
            Syndrome.RNR_RETRY_EXC_ERR,
            0,
            "DCT 0x%x has no receive WQE posted".formatted(target.number()));
  }

  @Test
  void bothEndsNeedTheSamePathMtu() {
    RawQp other = initiator(settings().mtu(5));
    receive(1, 8192);
    other.post(send(target, 4096));
    rig.settle();
    other
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            0,
            "with 4096 bytes in a packet, but the path MTU of DCT 0x%x is 1024"
                .formatted(target.number()));
  }

  // ---- refusals by the requester

  @Test
  void aCompactAddressVectorIsRefused() {
    long key = RawDct.KEY;
    initiator.post(
        new Wqe(WqeOpcode.SEND)
            .words(key, AddressVector.DCTN.place(target.number()))
            .words(0, 0)
            .words(
                Addresses.gid(Addresses.LINK_LOCAL).high(),
                Addresses.gid(Addresses.LINK_LOCAL).low())
            .data(source, 0, 8));
    rig.settle();
    initiator
        .sends()
        .pollOne()
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "ext (bit 31 of dqp_dct) is 0");
  }

  @Test
  void aSourceThatIsNotInTheGidTableIsRefused() {
    initiator.post(
        Wqe.dynamic(
                WqeOpcode.SEND, target.number(), RawDct.KEY, 7, Addresses.gid(Addresses.LINK_LOCAL))
            .data(source, 0, 8));
    rig.settle();
    initiator
        .sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR, 0, "src_addr_index 7", "empty entry of the GID table");
  }

  @Test
  void aWqeWithoutItsAddressVectorIsRefused() {
    initiator.post(Wqe.send().data(source, 0, 8));
    rig.settle();
    initiator.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "ds 2 is too small");
  }

  @Test
  void aLocalKeyThatRefusesFailsTheRequestAfterEarlierOnesComplete() {
    receive(1, 64);
    initiator.post(send(target, 8));
    initiator.post(Wqe.dynamic(WqeOpcode.SEND, target).data(source.address(0), 8, 0x777700));
    rig.settle();
    List<RawCqe> ends = initiator.sends().poll(2);
    ends.get(0).require(CqeOpcode.REQ, 0);
    ends.get(1).requireError(Syndrome.LOCAL_PROT_ERR, 2, "lkey");
  }

  // ---- sessions that end

  @Test
  void aSessionThatIsCutOffFlushesTheReceiveThatItHeld() {
    receive(1, 8192);
    // The second part of the message is missing, so the message does not end.
    RawMemory half = rig.memory(1 << 15);
    initiator.post(
        Wqe.dynamic(WqeOpcode.SEND, target)
            .data(half.address(0), 1 << 14, half.key())
            .data(half.address(0), 8, 0x777700));
    pool.writeRecord(1);
    pool.write(0, 0, memory.address(0), 1 << 15, memory.key());
    rig.settle();
    initiator.sends().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0);
    target
        .cq()
        .pollOne()
        .requireError(
            Syndrome.WR_FLUSH_ERR,
            0,
            "the session of QP 0x%x with DCT 0x%x is in ERR"
                .formatted(initiator.number(), target.number()),
            "its initiator turned away or failed");
  }

  @Test
  void anInitiatorThatIsDestroyedLeavesItsTarget() {
    receive(1, 64);
    initiator.post(send(target, 8));
    rig.settle();
    initiator.object().close();
    assertThat(String.join("\n", rig.nic().diagnosis().orElseThrow().objects()))
        .contains("DCT 0x%x: active, 0 sessions".formatted(target.number()));
  }

  @Test
  void anOverrunOfTheTargetsQueueEndsTheSession() {
    RawDct small = new RawDct(rig, rig.cq(0), pool);
    rig.subscribe(small.object(), HcaEvent.WQ_CATASTROPHIC);
    receive(4, 64);
    impatient.post(send(small, 8));
    impatient.post(send(small, 8));
    rig.settle();
    for (int i = 0; i < 4; i++) {
      rig.pass(SECOND);
    }
    assertThat(rig.takeEvents())
        .extracting(HcaEvent::type)
        .containsExactly(HcaEvent.WQ_CATASTROPHIC);
    assertThat(impatient.state()).isEqualTo(QpState.ERR);
  }
}
