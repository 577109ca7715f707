package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long completions are held back for compression, and when their events come. */
class CompressionTimeTest {
  private final Rig rig = Rigs.open();
  private RawCq cq = rig.cq(4);
  private RawQp qp = rig.qp(new RawQpPlan(cq));

  @AfterEach
  void close() {
    rig.close();
  }

  private void open(Consumer<View> change) {
    cq = new RawCq(rig, 4, rig.uar(), context -> change.accept(context.set(Cqc.CQE_COMP_EN, true)));
    qp = rig.qp(new RawQpPlan(cq));
    qp.connect(qp.number(), new Settings());
    rig.subscribe(cq.object(), HcaEvent.COMPLETION);
  }

  private void complete(int completions) {
    for (int i = 0; i < completions; i++) {
      qp.post(Wqe.nop());
    }
    rig.settle();
  }

  private int written() {
    return cq.query().getInt(Cqc.PRODUCER_COUNTER);
  }

  @Test
  void heldCompletionsAreWrittenWhenTheirTimeIsOver() {
    open(context -> {});
    complete(3);
    assertThat(written()).isZero();
    rig.pass(1500);
    complete(1);
    assertThat(written()).isZero();
    rig.pass(500);
    assertThat(written()).as("2 µs after the first").isEqualTo(4);
    complete(1);
    rig.pass(1999);
    assertThat(written()).isEqualTo(4);
    rig.pass(1);
    assertThat(written()).isEqualTo(5);
  }

  @Test
  void anEventComesWhenHeldCompletionsAreWritten() {
    open(context -> {});
    cq.arm(0, false);
    rig.settle();
    complete(3);
    assertThat(rig.takeEvents()).isEmpty();
    rig.pass(2000);
    assertThat(rig.takeEvents()).hasSize(1);
    complete(2);
    cq.arm(1, false);
    rig.settle();
    assertThat(rig.takeEvents()).as("the three written completions were reported before").isEmpty();
    rig.pass(2000);
    assertThat(rig.takeEvents()).hasSize(1);
  }

  @Test
  void armingForSolicitedReportsNoOtherCompletions() {
    open(context -> {});
    cq.arm(0, true);
    rig.settle();
    complete(3);
    rig.pass(2000);
    assertThat(rig.takeEvents()).isEmpty();
  }

  @Test
  void moderationCountsWrittenCompletions() {
    open(context -> context.set(Cqc.CQ_PERIOD, 100).set(Cqc.CQ_MAX_COUNT, 4));
    cq.arm(0, false);
    rig.settle();
    complete(4);
    assertThat(rig.takeEvents()).isEmpty();
    rig.pass(2000);
    assertThat(rig.takeEvents()).hasSize(1);
    cq.arm(1, false);
    complete(3);
    rig.pass(2000);
    assertThat(written()).isEqualTo(7);
    assertThat(rig.takeEvents()).isEmpty();
    rig.pass(100_000);
    assertThat(rig.takeEvents()).hasSize(1);
  }

  @Test
  void aQueueThatIsGoneWritesNothing() {
    open(context -> {});
    complete(3);
    qp.object().close();
    cq.object().close();
    rig.pass(10_000);
    cq.expectCanaries();
  }
}
