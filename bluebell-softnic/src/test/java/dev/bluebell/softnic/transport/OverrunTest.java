package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When one completion queue of a queue pair is full, its other queue reports what happened. */
class OverrunTest {
  private final Rig rig = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void receivesAreFlushedWhenTheSendCqIsFull() {
    RawCq receives = rig.cq(4);
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(0)).receiveCompletions(receives));
    qp.connect(qp.number(), new Settings());
    qp.receiveNothing();
    qp.write(Wqe.nop());
    qp.post(Wqe.nop());
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    receives
        .pollOne()
        .requireError(
            Syndrome.WR_FLUSH_ERR, 0, "its send CQ 0x%x is overrun".formatted(qp.sends().number()));
  }

  // Even if no request is posted behind the one that finds it full.
  @ParameterizedTest
  @ValueSource(ints = {5, 6, 16})
  void aPlainWriteThatFindsTheSendCqFullEndsTheQueuePair(int writes) {
    RawCq sends = rig.cq(2);
    RawQp qp = rig.qp(new RawQpPlan(sends).receiveCompletions(rig.cq(4)));
    RawPair pair = RawPair.connect(qp, rig.qp(rig.cq(4)), new Settings());
    RawMemory local = rig.memory(128).fill(1);
    RawMemory remote = rig.memory(128);
    rig.subscribe(sends.object(), HcaEvent.CQ_ERROR);
    rig.subscribe(qp.object(), HcaEvent.WQ_CATASTROPHIC);
    qp.receiveNothing();
    for (int i = 0; i < writes; i++) {
      qp.write(Wqe.write(remote, 8L * i).data(local, 8L * i, 8));
    }
    qp.writeRecord();
    qp.ring(0);
    rig.settle();
    assertThat(sends.peek()).extracting(RawCqe::wqeCounter).containsExactly(0, 1, 2, 3);
    assertThat(sends.peek()).extracting(RawCqe::opcode).containsOnly(CqeOpcode.REQ);
    assertThat(remote.bytes(0, 32)).isEqualTo(local.bytes(0, 32));
    sends.expectCanaries();
    assertThat(qp.state()).isEqualTo(QpState.ERR);
    assertThat(pair.right().state()).isEqualTo(QpState.RTS);
    assertThat(qp.query().getInt(Qpc.NEXT_SEND_PSN))
        .isEqualTo(pair.right().query().getInt(Qpc.NEXT_RCV_PSN));
    assertThat(rig.takeEvents())
        .extracting(HcaEvent::type, HcaEvent::number)
        .containsExactlyInAnyOrder(
            tuple(HcaEvent.CQ_ERROR, sends.number()), tuple(HcaEvent.WQ_CATASTROPHIC, qp.number()));
    qp.receives()
        .pollOne()
        .requireError(
            Syndrome.WR_FLUSH_ERR, 0, "its send CQ 0x%x is overrun".formatted(sends.number()));
  }

  @Test
  void sendsAreFlushedWhenTheReceiveCqIsFull() {
    RawCq receives = rig.cq(0);
    RawPair pair =
        RawPair.connect(
            rig.qp(rig.cq(4)),
            rig.qp(new RawQpPlan(rig.cq(4)).receiveCompletions(receives)),
            new Settings());
    pair.right().receiveNothing();
    pair.right().receiveNothing();
    // The receiver is not ready for this one, so it is outstanding when the queue pair fails.
    pair.right().post(Wqe.send());
    pair.left().write(Wqe.send());
    pair.left().post(Wqe.send());
    rig.settle();
    pair.right()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.WR_FLUSH_ERR,
            0,
            "its receive CQ 0x%x is overrun".formatted(receives.number()));
  }
}
