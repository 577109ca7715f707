package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.Test;

/** SEND_EN and RECV_EN on a device where fences apply to them. */
class FencedEnableTest extends CrossChannels {
  private final RawQp worker = worker();
  private final RawQp sender = rig.qp(new RawQpPlan(rig.cq(6)).master());
  private final RawQp receiver = rig.qp(rig.cq(6));

  FencedEnableTest() {
    super(Rigs.open(options -> options.withFencedEnables(true)));
    sender.connect(receiver.number(), new Settings());
    receiver.connect(sender.number(), new Settings());
    worker.write(Wqe.nop());
    worker.write(Wqe.nop());
  }

  @Test
  void aFencedEnableWaitsForEarlierRequests() {
    sender.write(Wqe.send().data(memory, 0, 8));
    sender.write(Wqe.enableSends(worker, 1));
    int last =
        sender.write(
            Wqe.enableSends(worker, 2)
                .control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE_STRONG));
    sender.writeRecord();
    sender.ring(last);
    rig.settle();
    worker.sends().pollOne().require(CqeOpcode.REQ, 0);
    receiver.receive(memory.address(64), 8, memory.key());
    rig.pass(1_000_000);
    worker.sends().pollOne().require(CqeOpcode.REQ, 1);
    assertThat(sender.sends().poll()).hasSize(3);
  }
}
