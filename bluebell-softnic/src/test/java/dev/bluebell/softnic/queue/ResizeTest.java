package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Completion queues that get another ring while they are used. */
class ResizeTest {
  private final Rig rig = Rigs.open();
  private final RawCq cq = rig.cq(3);
  private final RawQp qp = rig.qp(new RawQpPlan(cq).sizes(6, 6, 4));

  ResizeTest() {
    qp.connect(qp.number(), new Settings());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void complete(int count) {
    for (int i = 0; i < count; i++) {
      qp.post(Wqe.nop());
    }
    rig.settle();
  }

  @ParameterizedTest
  @CsvSource({"0, 5, 2", "3, 5, 2", "3, 2, 1", "11, 4, 3", "5, 3, 7"})
  void noCompletionIsLostOrSeenTwice(int polled, int newLogSize, int waiting) {
    for (int i = 0; i < polled; i++) {
      complete(1);
      cq.pollOne().require(CqeOpcode.REQ, i);
    }
    complete(waiting);
    cq.resize(newLogSize);
    assertThat(cq.poll(waiting)).extracting(RawCqe::wqeCounter).startsWith(polled).isSorted();
    for (int i = 0; i < 40; i++) {
      complete(1);
      cq.pollOne().require(CqeOpcode.REQ, polled + waiting + i);
    }
    assertThat(cq.query().getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(newLogSize);
    cq.expectCanaries();
  }

  @Test
  void aFullRingCannotBeResized() {
    complete(8);
    assertThatThrownBy(() -> cq.resize(4))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining("8 completions");
    assertThat(cq.poll(8)).hasSize(8);
    cq.resize(4);
    complete(1);
    cq.pollOne().require(CqeOpcode.REQ, 8);
  }

  @Test
  void aRingTooSmallForTheWaitingCompletionsIsRefused() {
    complete(4);
    assertThatThrownBy(() -> cq.resize(2))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining("4 completions");
    cq.poll(4);
  }

  @Test
  void armingAfterAResizeReportsCompletionsOfTheOldRing() {
    rig.subscribe(cq.object(), HcaEvent.COMPLETION);
    complete(2);
    cq.resize(5);
    cq.arm(0, true);
    rig.settle();
    assertThat(rig.takeEvents()).hasSize(1);
    assertThat(cq.poll(2)).hasSize(2);
  }

  @Test
  void theNewRingOverrunsWhenItIsFull() {
    rig.subscribe(cq.object(), HcaEvent.CQ_ERROR);
    cq.resize(4);
    complete(17);
    assertThat(rig.takeEvents()).hasSize(1);
  }
}
