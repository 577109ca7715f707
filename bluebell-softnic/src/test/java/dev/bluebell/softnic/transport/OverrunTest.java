package dev.bluebell.softnic.transport;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The other queue of a queue pair tells what happened when the completion queue of one is full. */
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
    // Nobody is ready for this one, so that it is still there when the queue pair fails.
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
