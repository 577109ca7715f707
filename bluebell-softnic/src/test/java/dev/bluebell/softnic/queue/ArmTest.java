package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arm commands of completion queues, byte for byte. */
class ArmTest {
  private static final int NOT_ARMED = 0;
  private static final int SOLICITED = 6;
  private static final int ARMED = 9;
  private static final int FIRED = 0xa;

  private final Rig rig = Rigs.open();
  private final RawCq cq = rig.cq(4);
  private final RawQp qp = rig.qp(new RawQpPlan(cq));

  ArmTest() {
    qp.connect(qp.number(), new Settings());
    rig.subscribe(cq.object(), HcaEvent.COMPLETION);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private int events() {
    rig.settle();
    return rig.takeEvents().size();
  }

  private int armState() {
    rig.settle();
    return cq.query().getInt(Cqc.ST);
  }

  @Test
  void anArmedQueueFiresOnceAndReportsItsState() {
    assertThat(armState()).isEqualTo(NOT_ARMED);
    cq.arm(0, false);
    assertThat(armState()).isEqualTo(ARMED);
    assertThat(events()).isZero();
    qp.post(Wqe.nop());
    assertThat(events()).isEqualTo(1);
    assertThat(armState()).isEqualTo(FIRED);
    qp.post(Wqe.nop());
    assertThat(events()).isZero();
    cq.poll(2);
    cq.arm(1, true);
    assertThat(armState()).isEqualTo(SOLICITED);
  }

  @Test
  void aRequestThatAsksForAnEventCountsAsSolicited() {
    cq.arm(0, true);
    qp.post(Wqe.nop().control(ControlSegment.CE_ALWAYS));
    assertThat(events()).isZero();
    qp.post(Wqe.nop().control(ControlSegment.CE_ALWAYS_EVENT));
    assertThat(events()).isEqualTo(1);
    cq.poll(2);
    cq.arm(1, true);
    var memory = rig.memory(64);
    qp.post(Wqe.read(memory, 0).data(memory, 32, 8).control(ControlSegment.CE_ALWAYS));
    assertThat(events()).isZero();
    qp.post(Wqe.read(memory, 0).data(memory, 32, 8).control(ControlSegment.CE_ALWAYS_EVENT));
    assertThat(events()).isEqualTo(1);
  }

  @Test
  void aCompletionAfterAnEventRaisesAnotherWhenTheQueueIsArmed() {
    cq.arm(0, false);
    qp.post(Wqe.nop());
    assertThat(events()).isEqualTo(1);
    qp.post(Wqe.nop());
    rig.settle();
    cq.arm(1, false);
    assertThat(events()).isEqualTo(1);
  }

  @Test
  void anEndedSubscriptionReceivesNoEventAndOthersDo() {
    HcaEventChannel channel = rig.nic().openEventChannel();
    channel.subscribe(cq.object(), HcaEvent.COMPLETION, 5);
    channel.subscribe(cq.object(), HcaEvent.COMPLETION, 6);
    channel.unsubscribe(cq.object(), HcaEvent.COMPLETION, 5);
    channel.unsubscribe(cq.object(), HcaEvent.COMPLETION, 7);
    cq.arm(0, false);
    qp.post(Wqe.nop());
    assertThat(events()).isEqualTo(1);
    assertThat(channel.poll()).extracting(HcaEvent::cookie).isEqualTo(6L);
    assertThat(channel.poll()).isNull();
    channel.close();
  }

  @Test
  void aRecordWithoutADoorbellDoesNotArm() {
    cq.writeArmRecord(CqArm.record(0, false, 0));
    qp.post(Wqe.nop());
    assertThat(events()).isZero();
  }

  @Test
  void theRecordIsObeyedAndNotTheRegister() {
    cq.writeArmRecord(CqArm.record(0, true, 0));
    cq.ring(CqArm.register(CqArm.record(0, false, 0), cq.number()));
    qp.post(Wqe.nop());
    assertThat(events()).isZero();
    assertThat(armState()).isEqualTo(SOLICITED);
  }

  @Test
  void armingForSolicitedIgnoresOrdinaryCompletions() {
    cq.arm(0, true);
    qp.receiveNothing();
    qp.receiveNothing();
    qp.post(Wqe.send());
    assertThat(events()).isZero();
    qp.post(Wqe.send().control(ControlSegment.CE_ALWAYS | ControlSegment.SOLICITED));
    assertThat(events()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 64L << 32 | 0x1000, 0x7700_0000_0000_0000L})
  void aForeignValueOverAnArmCommandLosesNothing(long foreign) {
    cq.arm(0, false);
    cq.ring(foreign);
    qp.post(Wqe.nop());
    assertThat(events()).isEqualTo(1);
    assertThat(rig.explanations())
        .anyMatch(line -> line.contains("not an arm command") || line.contains("names CQ"));
  }

  @Test
  void aCqDoorbellOnAnotherPageIsExplained() {
    HcaUar other = rig.nic().allocateUar();
    RawCq elsewhere = new RawCq(rig, 4, other, context -> {});
    cq.ring(CqArm.register(CqArm.record(0, false, 0), elsewhere.number()));
    rig.settle();
    assertThat(rig.explanation()).contains("CQ 0x%x".formatted(elsewhere.number()));
  }

  @Test
  void eventsOfADestroyedQueueAreForgotten() {
    RawCq other = rig.cq(2);
    rig.subscribe(other.object(), HcaEvent.COMPLETION);
    other.object().close();
    assertThat(rig.nic().diagnosis().orElseThrow().objects())
        .noneMatch(line -> line.startsWith("CQ 0x%x:".formatted(other.number())));
  }

  @Test
  void wrongArmCommandsAreNotAllExplained() {
    cq.arm(0, false);
    qp.post(Wqe.nop());
    assertThat(events()).isEqualTo(1);
    cq.poll(1);
    for (int i = 0; i < 1000; i++) {
      cq.arm(2 + (i & 1), false);
      rig.settle();
    }
    assertThat(rig.explanations())
        .filteredOn(line -> line.contains("is ignored: its arm_sn"))
        .hasSizeBetween(64, 70);
  }

  @Test
  void theExplanationOfACompletionEndsWithItsQueue() {
    RawCq other = rig.cq(4);
    RawQp failing = rig.qp(new RawQpPlan(other));
    failing.connect(failing.number(), new Settings());
    failing.post(Wqe.nop().ds(0));
    rig.settle();
    var diagnosis = rig.nic().diagnosis().orElseThrow();
    assertThat(diagnosis.explain(other.number(), 0)).isPresent();
    failing.object().close();
    other.object().close();
    assertThat(diagnosis.explain(other.number(), 0)).isEmpty();
  }
}
