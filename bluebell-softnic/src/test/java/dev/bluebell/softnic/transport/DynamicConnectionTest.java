package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Delivery over dynamic connections, and its order. */
class DynamicConnectionTest extends DynamicConnections {

  @Test
  void aSendFillsAReceiveOfTheTarget() {
    receive(1, 2048);
    initiator.post(send(target, 1500));
    rig.settle();
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    RawCqe received = target.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.byteCount()).isEqualTo(1500);
    assertThat(received.qpn()).as("number of the target").isEqualTo(target.number());
    assertThat(received.userIndex()).isEqualTo(RawDct.USER_INDEX);
    assertThat(received.remoteQpn()).as("number of the initiator").isEqualTo(initiator.number());
    assertThat(memory.bytes(0, 1500)).isEqualTo(source.bytes(0, 1500));
  }

  @Test
  void everyOperationArrives() {
    receive(3, 64);
    initiator.post(
        Wqe.dynamic(WqeOpcode.SEND_IMM, target)
            .immediate(7)
            .control(ControlSegment.CE_ALWAYS | ControlSegment.SOLICITED)
            .data(source, 0, 64));
    initiator.post(write(target, 1000, 3000));
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE_IMM, target)
            .immediate(8)
            .remote(memory.address(8000), memory.key())
            .data(source, 64, 8));
    initiator.post(Wqe.dynamic(WqeOpcode.SEND, target).inline(new byte[] {1, 2, 3}));
    rig.settle();
    List<RawCqe> received = target.cq().poll(3);
    assertThat(received.get(0).require(CqeOpcode.RESP_SEND_IMM, 0).immediate()).isEqualTo(7);
    assertThat(received.get(0).solicited()).isTrue();
    assertThat(received.get(1).require(CqeOpcode.RESP_WR_IMM, 1).immediate()).isEqualTo(8);
    assertThat(received.get(2).require(CqeOpcode.RESP_SEND, 2).byteCount()).isEqualTo(3);
    assertThat(initiator.sends().poll(4)).noneMatch(RawCqe::isError);
    assertThat(memory.bytes(1000, 3000)).isEqualTo(source.bytes(0, 3000));
    assertThat(memory.bytes(8000, 8)).isEqualTo(source.bytes(64, 8));
    assertThat(memory.bytes(128, 3)).containsExactly(1, 2, 3);
  }

  @Test
  void theLongestRequestIsExecuted() {
    byte[] longest = source.bytes(0, (63 - 5) * 16 - 4);
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
            .remote(memory.address(0), memory.key())
            .inline(longest));
    rig.settle();
    assertThat(initiator.sends().pollOne().isError()).isFalse();
    assertThat(memory.bytes(0, longest.length)).isEqualTo(longest);
  }

  @Test
  void sixteenReadsAreOutstandingAtATarget() {
    for (int i = 0; i < 20; i++) {
      initiator.post(
          Wqe.dynamic(WqeOpcode.RDMA_READ, target)
              .remote(source.address(64L * i), source.key())
              .data(memory, 64L * i, 64));
    }
    rig.settle();
    assertThat(initiator.sends().poll(20)).noneMatch(RawCqe::isError);
    assertThat(memory.bytes(0, 1280)).isEqualTo(source.bytes(0, 1280));
  }

  @Test
  void readsAndAtomicsAreAnswered() {
    memory.putLong(512, 40);
    initiator.post(
        Wqe.dynamic(WqeOpcode.ATOMIC_FA, target)
            .remote(memory.address(512), memory.key())
            .words(2, 0)
            .data(source, 0, 8));
    initiator.post(
        Wqe.dynamic(WqeOpcode.ATOMIC_CS, target)
            .remote(memory.address(512), memory.key())
            .words(99, 42)
            .data(source, 8, 8));
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_READ, target)
            .remote(memory.address(512), memory.key())
            .data(source, 16, 4000));
    rig.settle();
    assertThat(initiator.sends().poll(3)).extracting(RawCqe::byteCount).containsExactly(8, 8, 4000);
    assertThat(source.getLong(0)).isEqualTo(40);
    assertThat(source.getLong(8)).isEqualTo(42);
    assertThat(source.getLong(16)).isEqualTo(99);
  }

  @Test
  void oneInitiatorReachesManyTargetsAndKeepsItsOrder() {
    List<RawDct> targets = new ArrayList<>(List.of(target));
    for (int i = 1; i < 8; i++) {
      targets.add(new RawDct(rig, target.cq(), pool));
    }
    receive(64, 64);
    for (int i = 0; i < 24; i++) {
      initiator.post(send(targets.get(i * 5 % 8), 64));
      if (i % 12 == 11) {
        rig.settle();
        assertThat(initiator.sends().poll(12)).noneMatch(RawCqe::isError);
      }
    }
    List<RawCqe> received = target.cq().poll(24);
    for (int i = 0; i < 24; i++) {
      assertThat(received.get(i).qpn()).isEqualTo(targets.get(i * 5 % 8).number());
    }
    assertThat(objects())
        .contains("DCT 0x%x: active, 0 sessions".formatted(targets.get(1).number()));
  }

  private String objects() {
    return String.join("\n", rig.nic().diagnosis().orElseThrow().objects());
  }

  @Test
  void manyInitiatorsReachOneTarget() {
    receive(100, 64);
    List<RawQp> initiators = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      RawQp each = initiator(settings());
      initiators.add(each);
      each.post(send(target, 32));
      each.post(send(target, 32));
    }
    rig.settle();
    assertThat(target.cq().poll(40)).noneMatch(RawCqe::isError);
    for (RawQp each : initiators) {
      assertThat(each.sends().poll(2)).noneMatch(RawCqe::isError);
    }
    assertThat(objects()).contains("DCT 0x%x: active, 20 sessions".formatted(target.number()));
  }

  @Test
  void anInitiatorThatReturnsToATargetBeginsASessionAnew() {
    RawDct other = new RawDct(rig, target.cq(), pool);
    receive(16, 64);
    for (int round = 0; round < 3; round++) {
      initiator.post(send(target, 8));
      initiator.post(send(other, 8));
      initiator.post(send(other, 8));
      rig.settle();
      assertThat(initiator.sends().poll(3)).noneMatch(RawCqe::isError);
    }
    assertThat(target.cq().poll(9))
        .extracting(RawCqe::qpn)
        .startsWith(target.number(), other.number(), other.number(), target.number());
  }

  @Test
  void aNopBetweenTargetsCompletesInItsTurn() {
    RawDct other = new RawDct(rig, target.cq(), pool);
    receive(2, 64);
    initiator.post(Wqe.nop());
    initiator.post(send(target, 8));
    initiator.post(Wqe.nop());
    initiator.post(send(other, 8));
    rig.settle();
    assertThat(initiator.sends().poll(4))
        .extracting(RawCqe::wqeCounter)
        .containsExactly(0, 1, 3, 4);
  }

  @Test
  void aSendPostedBeforeItsReceiveWaits() {
    initiator.post(send(target, 8));
    rig.settle();
    assertThat(initiator.sends().peek()).isEmpty();
    receive(1, 64);
    rig.pass(1_000_000);
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    target.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void twoTargetsShareOneQueueOfReceives() {
    RawDct other = new RawDct(rig, rig.cq(6), pool, c -> c.set(Dctc.USER_INDEX, 0x99));
    receive(4, 64);
    source.put(0, new byte[] {1});
    initiator.post(send(target, 1));
    rig.settle();
    source.put(0, new byte[] {2});
    initiator.post(send(other, 1));
    rig.settle();
    assertThat(target.cq().pollOne().wqeCounter()).isZero();
    RawCqe second = other.cq().pollOne();
    assertThat(second.wqeCounter()).isEqualTo(1);
    assertThat(second.userIndex()).isEqualTo(0x99);
    assertThat(memory.bytes(0, 1)).containsExactly(1);
    assertThat(memory.bytes(64, 1)).containsExactly(2);
  }

  @Test
  void anInitiatorStartsAnewAfterAReset() {
    receive(2, 64);
    initiator.post(send(target, 8));
    rig.settle();
    initiator.sends().pollOne();
    initiator.reset();
    initiator.connect(0, settings());
    initiator.post(send(target, 8));
    rig.settle();
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.cq().poll(2)).noneMatch(RawCqe::isError);
  }

  @Test
  void theTransitionsOfAnInitiatorNeedNoPeer() {
    assertThat(initiator.state()).isEqualTo(QpState.RTS);
    initiator.toError();
    initiator.post(Wqe.nop());
    rig.settle();
    assertThat(initiator.sends().pollOne().isError()).isTrue();
  }

  @Test
  void aTargetAnswersFromItsOwnGid() {
    RawDct ipv4 =
        new RawDct(rig, target.cq(), pool, c -> c.set(Dctc.MY_ADDR_INDEX, Addresses.IPV4));
    receive(1, 64);
    initiator.post(
        Wqe.dynamic(
                WqeOpcode.SEND,
                ipv4.number(),
                RawDct.KEY,
                Addresses.IPV4,
                Addresses.gid(Addresses.IPV4))
            .data(source, 0, 8));
    rig.settle();
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    target.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void theLimitOfTheSharedQueueIsReported() {
    rig.subscribe(pool.object(), HcaEvent.SRQ_LIMIT);
    receive(2, 64);
    pool.object().modify(pool.limit(2).bytes());
    initiator.post(send(target, 8));
    rig.settle();
    assertThat(rig.takeEvents()).extracting(HcaEvent::type).containsExactly(HcaEvent.SRQ_LIMIT);
  }
}
