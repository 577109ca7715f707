package dev.bluebell.softnic.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The rate of a sender, step by step, as the paper on DCQCN computes it. */
class DcqcnTest {
  private static final long STAGE = Dcqcn.STAGE_NANOS;
  private static final Offset<Double> ROUNDING = within(1.0);

  private final Dcqcn control = new Dcqcn();

  @Test
  void aSenderBeginsAtTheRateOfThePortAndWithoutALimit() {
    assertThat(control.rate()).isEqualTo(Dcqcn.LINE_RATE);
    assertThat(control.isLimited()).isFalse();
    control.sent(Integer.MAX_VALUE);
    control.advance(Long.MAX_VALUE);
    assertThat(control.isLimited()).isFalse();
  }

  @Test
  void theFirstNotificationHalvesTheRate() {
    control.cut(0);
    assertThat(control.isLimited()).isTrue();
    assertThat(control.rate()).isEqualTo(200e9);
    assertThat(control.target()).isEqualTo(400e9);
  }

  @Test
  void theEstimateDecaysWithoutNotificationsSoThatTheNextCutIsSmaller() {
    control.cut(0);
    control.advance(5 * STAGE);
    double before = control.rate();
    double estimate = Math.pow(1 - Dcqcn.GAIN, 5);
    control.cut(5 * STAGE);
    assertThat(control.rate()).isCloseTo(before * (1 - estimate / 2), ROUNDING);
    assertThat(control.target()).isEqualTo(before);
    // The second notification raises the estimate, which the third one then uses.
    double raised = (1 - Dcqcn.GAIN) * estimate + Dcqcn.GAIN;
    before = control.rate();
    control.cut(5 * STAGE + 1);
    assertThat(control.rate()).isCloseTo(before * (1 - raised / 2), ROUNDING);
  }

  @Test
  void eachOfFiveRecoveriesHalvesTheGapToTheTargetBeforeItGrows() {
    for (int i = 0; i < 4; i++) {
      control.cut(0);
    }
    double target = 50e9;
    double rate = 25e9;
    assertThat(control.target()).isEqualTo(target);
    for (int stage = 1; stage <= Dcqcn.RECOVERIES; stage++) {
      control.advance(stage * STAGE - 1);
      assertThat(control.rate()).as("before stage %d", stage).isCloseTo(rate, ROUNDING);
      control.advance(stage * STAGE);
      rate = (rate + target) / 2;
      assertThat(control.rate()).as("stage %d", stage).isCloseTo(rate, ROUNDING);
      assertThat(control.target()).isEqualTo(target);
    }
    for (int stage = Dcqcn.RECOVERIES + 1; stage <= 20; stage++) {
      control.advance(stage * STAGE);
      target += Dcqcn.ADDED_RATE;
      rate = (rate + target) / 2;
      assertThat(control.target()).as("stage %d", stage).isCloseTo(target, ROUNDING);
      assertThat(control.rate()).as("stage %d", stage).isCloseTo(rate, ROUNDING);
    }
  }

  @Test
  void tenMillionBytesEndAStage() {
    for (int i = 0; i < 4; i++) {
      control.cut(0);
    }
    control.sent((int) Dcqcn.STAGE_BYTES - 1);
    assertThat(control.rate()).isEqualTo(25e9);
    control.sent(1);
    assertThat(control.rate()).isEqualTo(37.5e9);
  }

  @Test
  void onceTimeAndBytesHaveRecoveredTheTargetGrowsFasterAndFaster() {
    for (int i = 0; i < 4; i++) {
      control.cut(0);
    }
    control.advance(6 * STAGE);
    control.sent(5 * (int) Dcqcn.STAGE_BYTES);
    double target = control.target();
    // The sixth stage of the bytes is the last one without hyper increase.
    control.sent((int) Dcqcn.STAGE_BYTES);
    assertThat(control.target()).isCloseTo(target + Dcqcn.ADDED_RATE, ROUNDING);
    target = control.target();
    control.sent((int) Dcqcn.STAGE_BYTES);
    assertThat(control.target()).isCloseTo(target + Dcqcn.HYPER_RATE, ROUNDING);
    target = control.target();
    control.advance(7 * STAGE);
    control.advance(8 * STAGE);
    assertThat(control.target()).isCloseTo(target + (1 + 2) * Dcqcn.HYPER_RATE, ROUNDING);
  }

  @Test
  void aNotificationBeginsTheRecoveryAnew() {
    control.cut(0);
    control.advance(3 * STAGE);
    double cutFrom = control.rate();
    control.cut(3 * STAGE + STAGE / 2);
    double cutTo = control.rate();
    control.advance(4 * STAGE);
    assertThat(control.rate()).isEqualTo(cutTo);
    control.advance(4 * STAGE + STAGE / 2);
    assertThat(control.rate()).isEqualTo((cutTo + cutFrom) / 2);
  }

  @Test
  void withoutNotificationsTheRateIsThatOfThePortAgain() {
    for (int i = 0; i < 100; i++) {
      control.cut(0);
    }
    assertThat(control.rate()).isEqualTo(Dcqcn.LEAST_RATE);
    control.advance(Long.MAX_VALUE / 2);
    assertThat(control.isLimited()).isFalse();
    assertThat(control.rate()).isEqualTo(Dcqcn.LINE_RATE);
    control.cut(Long.MAX_VALUE / 2);
    assertThat(control.rate()).isEqualTo(200e9);
  }

  @Test
  void theRateStaysInItsRange() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    long now = 0;
    for (int i = 0; i < 100_000; i++) {
      now += random.nextInt(100_000);
      switch (random.nextInt(3)) {
        case 0 -> control.cut(now);
        case 1 -> control.advance(now);
        default -> control.sent(random.nextInt(1 << 24));
      }
      assertThat(control.rate()).as("seed %d", seed).isBetween(Dcqcn.LEAST_RATE, Dcqcn.LINE_RATE);
      assertThat(control.target()).as("seed %d", seed).isBetween(control.rate(), Dcqcn.LINE_RATE);
    }
  }

  @Test
  void bytesTakeTheirTimeAtTheRate() {
    control.cut(0);
    assertThat(control.nanos(25_000)).isEqualTo(1000);
  }
}
