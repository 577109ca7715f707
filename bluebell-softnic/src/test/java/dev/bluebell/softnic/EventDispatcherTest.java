package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The device keeps subscriptions only as long as their objects. */
class EventDispatcherTest {
  private final Rig rig = Rigs.open();
  private final HcaEventChannel channel = rig.nic().openEventChannel();

  @AfterEach
  void close() {
    channel.close();
    rig.close();
  }

  private int kept() {
    return rig.nic().events().size();
  }

  @Test
  void aDestroyedQueuePairLeavesNoSubscription() {
    RawQp qp = rig.qp(rig.cq(4));
    channel.subscribe(qp.object(), HcaEvent.WQ_CATASTROPHIC, 5);
    // No unit of this device raises it, but drivers subscribe to it.
    channel.subscribe(qp.object(), HcaEvent.SQ_DRAINED, 5);
    assertThat(kept()).isPositive();
    qp.object().close();
    assertThat(kept()).isZero();
  }

  @Test
  void aDestroyedTagMatchingQueueLeavesNoSubscription() {
    HcaObject xrq = new RawXrq(rig, rig.cq(4), 2).object();
    channel.subscribe(xrq, HcaEvent.SRQ_LIMIT, 5);
    xrq.close();
    assertThat(kept()).isZero();
  }

  @Test
  void aSubscriptionThatEndsBeforeItsObjectLeavesNothing() {
    RawCq cq = rig.cq(4);
    channel.subscribe(cq.object(), HcaEvent.CQ_ERROR, 5);
    channel.subscribe(cq.object(), HcaEvent.CQ_ERROR, 6);
    channel.unsubscribe(cq.object(), HcaEvent.CQ_ERROR, 5);
    assertThat(kept()).isPositive();
    channel.unsubscribe(cq.object(), HcaEvent.CQ_ERROR, 6);
    assertThat(kept()).isZero();
  }

  @Test
  void aClosedChannelEndsOnlyItsOwnSubscriptions() {
    RawCq cq = rig.cq(4);
    channel.subscribe(cq.object(), HcaEvent.COMPLETION, 5);
    int ofOne = kept();
    HcaEventChannel other = rig.nic().openEventChannel();
    other.subscribe(cq.object(), HcaEvent.COMPLETION, 6);
    channel.unsubscribe(cq.object(), HcaEvent.COMPLETION, 5);
    assertThat(kept()).isEqualTo(ofOne);
    other.close();
    assertThat(kept()).isZero();
  }
}
