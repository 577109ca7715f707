package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events of completion queues that wait for a number of completions or for a period. */
class ModerationTest {
  private static final int ARMED = 9;
  private static final long MICROSECOND = 1000;

  private final Rig rig = Rigs.open();
  private RawCq cq = rig.cq(4);
  private RawQp qp = rig.qp(new RawQpPlan(cq));

  @AfterEach
  void close() {
    rig.close();
  }

  /** A queue that raises an event for 4 completions, or after 100 µs. */
  private void open(Consumer<View> change) {
    cq =
        new RawCq(
            rig,
            4,
            rig.uar(),
            context -> change.accept(context.set(Cqc.CQ_PERIOD, 100).set(Cqc.CQ_MAX_COUNT, 4)));
    qp = rig.qp(new RawQpPlan(cq));
    qp.connect(qp.number(), new Settings());
    rig.subscribe(cq.object(), HcaEvent.COMPLETION);
  }

  private void complete(int completions) {
    for (int i = 0; i < completions; i++) {
      qp.post(Wqe.nop());
      rig.settle();
    }
  }

  private int events() {
    rig.settle();
    return rig.takeEvents().size();
  }

  private int eventsAfter(long microseconds) {
    rig.pass(microseconds * MICROSECOND);
    return rig.takeEvents().size();
  }

  @Test
  void anEventIsHeldBackUntilTheCountIsReached() {
    open(context -> {});
    cq.arm(0, false);
    complete(3);
    assertThat(events()).isZero();
    assertThat(cq.query().getInt(Cqc.ST)).isEqualTo(ARMED);
    complete(1);
    assertThat(events()).isEqualTo(1);
    assertThat(eventsAfter(1000)).isZero();
  }

  @Test
  void anEventIsRaisedWhenThePeriodEnds() {
    open(context -> {});
    cq.arm(0, false);
    complete(1);
    assertThat(eventsAfter(99)).isZero();
    assertThat(eventsAfter(1)).isEqualTo(1);
  }

  @Test
  void completionsThemselvesAreNotHeldBack() {
    open(context -> {});
    cq.arm(0, false);
    complete(2);
    cq.poll(2);
    assertThat(events()).isZero();
  }

  @Test
  void thePeriodBeginsWithTheLastEvent() {
    open(context -> {});
    cq.arm(0, false);
    complete(1);
    assertThat(eventsAfter(100)).isEqualTo(1);
    cq.poll(1);
    cq.arm(1, false);
    assertThat(eventsAfter(60)).isZero();
    complete(1);
    assertThat(eventsAfter(39)).isZero();
    assertThat(eventsAfter(1)).isEqualTo(1);
    cq.poll(1);
    cq.arm(2, false);
    assertThat(eventsAfter(100)).isZero();
    complete(1);
    assertThat(events()).isEqualTo(1);
  }

  @Test
  void thePeriodBeginsAgainWithEachCompletionWhereTheContextSaysSo() {
    open(context -> context.set(Cqc.CQ_PERIOD_MODE, 1));
    cq.arm(0, false);
    assertThat(eventsAfter(500)).isZero();
    complete(1);
    assertThat(eventsAfter(99)).isZero();
    complete(1);
    assertThat(eventsAfter(99)).isZero();
    assertThat(eventsAfter(1)).isEqualTo(1);
  }

  @Test
  void completionsBeforeTheArmCount() {
    open(context -> {});
    complete(4);
    cq.arm(0, false);
    assertThat(events()).isEqualTo(1);
  }

  @Test
  void anEventThatIsHeldBackIsForgottenWhenItsCompletionsArePolledAndTheQueueIsArmedAgain() {
    open(context -> {});
    cq.arm(0, false);
    complete(2);
    cq.poll(2);
    cq.arm(0, false);
    assertThat(eventsAfter(1000)).isZero();
    complete(1);
    assertThat(events()).isEqualTo(1);
  }

  @Test
  void aSolicitedCompletionBreaksModerationIfTheContextSaysSo() {
    for (int breaks = 0; breaks <= 1; breaks++) {
      int enable = breaks;
      open(context -> context.set(Cqc.SCQE_BREAK_MODERATION_EN, enable));
      RawMemory memory = rig.memory(16);
      cq.arm(0, false);
      qp.receive(memory.address(8), 8, memory.key());
      qp.post(
          Wqe.send()
              .data(memory, 0, 8)
              .control(ControlSegment.CE_ON_ERROR | ControlSegment.SOLICITED));
      assertThat(events()).isEqualTo(breaks);
      cq.poll(1);
    }
  }

  @Test
  void withoutACountOrWithoutAPeriodNothingIsHeldBack() {
    open(context -> context.set(Cqc.CQ_PERIOD, 0));
    cq.arm(0, false);
    complete(1);
    assertThat(events()).isEqualTo(1);
    open(context -> context.set(Cqc.CQ_MAX_COUNT, 0));
    cq.arm(0, false);
    complete(1);
    assertThat(events()).isEqualTo(1);
  }

  private void modify(int select, int period, int count, int mode) {
    View command =
        View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
            .set(ModifyCqIn.CQN, cq.number())
            .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, select);
    command
        .at(ModifyCqIn.CQ_CONTEXT)
        .set(Cqc.CQ_PERIOD, period)
        .set(Cqc.CQ_MAX_COUNT, count)
        .set(Cqc.CQ_PERIOD_MODE, mode);
    cq.object().modify(command.bytes());
  }

  @Test
  void aChangeOfTheCountReachesAnEventThatIsHeldBack() {
    open(context -> {});
    cq.arm(0, false);
    complete(2);
    modify(2, 7, 2, 0);
    assertThat(events()).isEqualTo(1);
    assertThat(cq.query().getInt(Cqc.CQ_PERIOD)).isEqualTo(100);
    assertThat(cq.query().getInt(Cqc.CQ_MAX_COUNT)).isEqualTo(2);
  }

  @Test
  void aChangeOfThePeriodReachesAnEventThatIsHeldBack() {
    open(context -> {});
    cq.arm(0, false);
    complete(1);
    modify(1, 20, 0, 0);
    assertThat(eventsAfter(19)).isZero();
    assertThat(eventsAfter(1)).isEqualTo(1);
    modify(16, 0, 0, 1);
    assertThat(cq.query().getInt(Cqc.CQ_PERIOD)).isEqualTo(20);
    assertThat(cq.query().getInt(Cqc.CQ_PERIOD_MODE)).isEqualTo(1);
  }

  @Test
  void switchingModerationOffReleasesTheHeldEvent() {
    open(context -> {});
    cq.arm(0, false);
    complete(1);
    modify(3, 0, 0, 0);
    assertThat(events()).isEqualTo(1);
  }

  @Test
  void aQueueThatIsDestroyedRaisesNothing() {
    open(context -> {});
    cq.arm(0, false);
    complete(1);
    qp.object().close();
    cq.object().close();
    assertThat(eventsAfter(1000)).isZero();
  }

  @Test
  void aQueueArmedForSolicitedCompletionsCountsAllOnceItHasAnEventToRaise() {
    open(context -> {});
    RawMemory memory = rig.memory(16);
    cq.arm(0, true);
    complete(1);
    qp.receive(memory.address(8), 8, memory.key());
    qp.post(
        Wqe.send()
            .data(memory, 0, 8)
            .control(ControlSegment.CE_ON_ERROR | ControlSegment.SOLICITED));
    assertThat(events()).isZero();
    complete(1);
    assertThat(events()).isZero();
    complete(1);
    assertThat(events()).isEqualTo(1);
  }
}
