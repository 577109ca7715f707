package dev.bluebell.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Cost;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The components of the paper's services, in virtual time. */
class PaperServicesTest {
  private static final Timing TIMING = Timing.CONNECTX5;
  private static final int SMALL = 64;
  private static final Offset<Double> NANO = within(0.0005);
  private static final double FETCH = 0.497;
  private static final double THERE = 1.060 + FETCH + 0.110 + 0.310;
  private static final double PROBE = 0.004 + FETCH + 0.540 + 0.450;
  private static final double BACK = 0.004 + FETCH + 0.310 + 0.110;

  /** Time by which the compare-and-swap follows 16 bytes of the READ. */
  private static final double BEHIND = 0.001;

  @Test
  void aReadOfAClientIsTheVerbAndItsFetch() {
    assertThat(Services.read(TIMING, SMALL)).isCloseTo(1.820 + FETCH, NANO);
  }

  @Test
  void aGetIsTheSumOfItsParts() {
    assertThat(Services.get(TIMING, SMALL)).isCloseTo(THERE + PROBE + BEHIND + BACK, NANO);
  }

  @Test
  void aSlowerFetchCostsAGetThrice() {
    Timing slower = TIMING.with(Constant.DOORBELL_ORDER, 601);
    assertThat(Services.get(slower, SMALL) - Services.get(TIMING, SMALL)).isCloseTo(0.300, NANO);
  }

  @Test
  void aSecondSequentialProbeCostsAProbe() {
    double more = Services.sequential(TIMING, SMALL) - Services.get(TIMING, SMALL);
    assertThat(more).isCloseTo(0.153 + PROBE + BEHIND, NANO);
  }

  @Test
  void aSecondParallelProbeCostsAStep() {
    assertThat(Services.parallel(TIMING, SMALL) - Services.get(TIMING, SMALL))
        .isCloseTo(0.149, NANO);
  }

  @Test
  void aListNodeCostsAProbeAndTheNextSendEn() {
    double first = Services.walk(TIMING, 1, false);
    double mean = Services.walk(TIMING, 2, false);
    assertThat(2 * (mean - first)).isCloseTo(0.149 + PROBE, within(0.005));
  }

  @Test
  void aBreakCostsTwoFetchesMoreButNoStep() {
    double node = 2 * (Services.walk(TIMING, 2, false) - Services.walk(TIMING, 1, false));
    double breaking = 2 * (Services.walk(TIMING, 2, true) - Services.walk(TIMING, 1, true));
    assertThat(breaking - node).isCloseTo(2 * 0.501 - 0.149, within(0.005));
  }

  @Test
  void writersSlowAGetOfTheCardAsLittleAsInThePaper() {
    double one = Services.amongWriters(TIMING, 1, ServiceFigures.SERVER);
    double sixteen = Services.amongWriters(TIMING, 16, ServiceFigures.SERVER);
    assertThat(sixteen / one / (5.7 / 5.4)).isBetween(0.85, 1.15);
  }

  @Test
  void theProcessorsTimeIsOnTheWayOfATwoSidedGet() {
    assertThat(Services.twoSided(TIMING, SMALL, 5) - Services.twoSided(TIMING, SMALL, 2))
        .isCloseTo(3, NANO);
  }

  @Test
  void aCompiledGetTakesAsLongAsThatOfRedn() {
    Compiled unchecked = new Compiled(TIMING, Target.UNCHECKED, Model.CONSERVATIVE);
    Compiled checked = new Compiled(TIMING, Target.CHECKED, Model.CONSERVATIVE);
    assertThat(unchecked.get()).isCloseTo(Services.get(TIMING, SMALL), within(0.005));
    // A WRITE to the queue itself copies the flag over the opcode.
    assertThat(checked.get() - unchecked.get()).isCloseTo(0.310, within(0.005));
  }

  @Test
  void aConditionOnAnInputHasTheMinimalCost() {
    Cost unchecked = new Compiled(TIMING, Target.UNCHECKED, Model.ASSUMED).costOfSent(6);
    assertThat(List.of(unchecked.copies(), unchecked.atomics(), unchecked.enables()))
        .containsExactly(1, 1, 1);
    Cost checked = new Compiled(TIMING, Target.CHECKED, Model.ASSUMED).costOfSent(6);
    assertThat(List.of(checked.copies(), checked.atomics(), checked.enables()))
        .containsExactly(2, 1, 1);
  }

  @Test
  void aQueueWithoutACompletionIsReported() {
    try (Testbed bed = Testbed.open(TIMING)) {
      Queue queue = bed.node().loopedMaster();
      assertThatIllegalStateException()
          .isThrownBy(queue::lastSend)
          .withMessage("nothing completed before the device came to rest");
    }
  }
}
