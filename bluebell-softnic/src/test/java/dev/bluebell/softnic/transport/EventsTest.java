package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events of queue pairs. */
class EventsTest {
  private final Rig rig = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void theFirstMessageBeforeRtsEstablishesTheConnectionOnce() {
    Settings settings = new Settings();
    RawQp left = rig.qp(rig.cq(4));
    RawQp right = rig.qp(rig.cq(4));
    rig.subscribe(right.object(), HcaEvent.COMMUNICATION_ESTABLISHED);
    left.connect(right.number(), settings);
    right.object().modify(settings.toInit(right.number()).bytes());
    right.object().modify(settings.toRtr(right.number(), left.number()).bytes());
    left.post(Wqe.send());
    left.post(Wqe.send());
    rig.settle();
    // No receive is posted, so the first message is sent again and again.
    for (int i = 0; i < 5; i++) {
      rig.pass(10_000);
    }
    right.receiveNothing();
    right.receiveNothing();
    rig.pass(10_000);
    left.sends().poll(2);
    assertThat(rig.takeEvents())
        .containsExactly(
            new HcaEvent(
                HcaEvent.COMMUNICATION_ESTABLISHED,
                right.number(),
                0,
                HcaEvent.COMMUNICATION_ESTABLISHED));
    right.object().modify(settings.toRts(right.number()).bytes());
    left.post(Wqe.send());
    rig.settle();
    assertThat(rig.takeEvents()).isEmpty();
  }

  @Test
  void aQueuePairWhoseCompletionCannotBeWrittenRaisesACatastrophicError() {
    RawQp sender = rig.qp(new RawQpPlan(rig.cq(0)));
    sender.connect(sender.number(), new Settings());
    rig.subscribe(sender.object(), HcaEvent.WQ_CATASTROPHIC);
    rig.subscribe(sender.sends().object(), HcaEvent.CQ_ERROR);
    sender.post(Wqe.nop());
    sender.post(Wqe.nop());
    rig.settle();
    assertThat(rig.takeEvents())
        .extracting(HcaEvent::type)
        .containsExactly(HcaEvent.CQ_ERROR, HcaEvent.WQ_CATASTROPHIC);
    assertThat(sender.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aReceiverWhoseCompletionCannotBeWrittenRaisesACatastrophicError() {
    RawQp right = rig.qp(new RawQpPlan(rig.cq(4)).receiveCompletions(rig.cq(0)));
    RawQp left = rig.qp(rig.cq(4));
    left.connect(right.number(), new Settings());
    right.connect(left.number(), new Settings());
    rig.subscribe(right.object(), HcaEvent.WQ_CATASTROPHIC);
    right.receiveNothing();
    right.receiveNothing();
    left.post(Wqe.send());
    left.post(Wqe.send());
    rig.settle();
    assertThat(rig.takeEvents())
        .extracting(HcaEvent::type)
        .containsExactly(HcaEvent.WQ_CATASTROPHIC);
    assertThat(right.state()).isEqualTo(QpState.ERR);
  }
}
