package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Simple requests to the target of the session cut through; the one that begins it is sent as
 * packets.
 */
class DynamicCutThroughTest extends DynamicConnections {
  private static FaultyFabric fabric;

  DynamicCutThroughTest() {
    super(
        Rigs.open(
            (inside, sink) -> {
              fabric = new FaultyFabric(inside, sink).direct(true);
              return fabric;
            }));
  }

  private int travelled() {
    return fabric.requestPsns().size();
  }

  @Test
  void onlyTheFirstRequestToATargetTravels() {
    receive(64, 64);
    initiator.post(send(target, 8));
    rig.settle();
    int first = travelled();
    initiator.post(send(target, 64));
    initiator.post(Wqe.dynamic(WqeOpcode.SEND_IMM, target).immediate(9).data(source, 64, 64));
    initiator.post(write(target, 1 << 15, 64));
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE_IMM, target)
            .immediate(8)
            .remote(memory.address(40_000), memory.key())
            .data(source, 64, 8));
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_READ, target)
            .remote(memory.address(1 << 15), memory.key())
            .data(source, 4096, 64));
    rig.settle();
    assertThat(travelled()).isEqualTo(first);
    assertThat(initiator.sends().poll(6)).noneMatch(RawCqe::isError);
    List<RawCqe> received = target.cq().poll(4);
    assertThat(received).extracting(RawCqe::qpn).containsOnly(target.number());
    assertThat(received.get(2).require(CqeOpcode.RESP_SEND_IMM, 2).immediate()).isEqualTo(9);
    assertThat(received.get(3).require(CqeOpcode.RESP_WR_IMM, 3).immediate()).isEqualTo(8);
    assertThat(memory.bytes(64, 64)).isEqualTo(source.bytes(0, 64));
    assertThat(memory.bytes(40_000, 8)).isEqualTo(source.bytes(64, 8));
    assertThat(source.bytes(4096, 64)).isEqualTo(source.bytes(0, 64));

    // Requests with another target, a fence or inline data are sent as packets.
    RawDct other = new RawDct(rig, target.cq(), pool);
    initiator.post(send(other, 8));
    rig.settle();
    assertThat(travelled()).isGreaterThan(first);
    int second = travelled();
    initiator.post(send(other, 8).control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE));
    rig.settle();
    initiator.post(Wqe.dynamic(WqeOpcode.SEND, other).inline(new byte[8]));
    rig.settle();
    assertThat(travelled()).isEqualTo(second + 2);
    initiator.post(send(target, 8));
    rig.settle();
    assertThat(initiator.sends().poll(4)).noneMatch(RawCqe::isError);
    assertThat(target.cq().poll(4)).noneMatch(RawCqe::isError);
  }

  @Test
  void requestsCutThroughAroundTheEndOfTheRing() {
    receive(128, 64);
    initiator.post(Wqe.nop());
    for (int i = 0; i < 100; i++) {
      initiator.post(send(target, 8));
      rig.settle();
      if (i % 10 == 9) {
        assertThat(target.cq().poll(10)).noneMatch(RawCqe::isError);
        initiator.sends().poll();
      }
    }
    assertThat(travelled()).isLessThan(5);
  }
}
