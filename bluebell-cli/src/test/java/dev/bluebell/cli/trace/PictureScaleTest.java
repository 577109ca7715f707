package dev.bluebell.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Time without events takes little room, and the rest is drawn to scale. */
class PictureScaleTest {
  private static final double EXACT = 1e-6;

  @Test
  void timeIsToScaleWhereNothingIsUnusual() {
    PictureScale scale = new PictureScale(new long[] {100, 110, 130, 140, 200}, 10, 500);
    assertThat(scale.pauses()).isEmpty();
    assertThat(scale.x(100)).isCloseTo(10, within(EXACT));
    assertThat(scale.x(150)).isCloseTo(260, within(EXACT));
    assertThat(scale.x(200)).isCloseTo(510, within(EXACT));
  }

  /** An application that sends for 1 µs, waits 100 ms, and closes its objects one after another. */
  @Test
  void longPausesHaveOneSmallWidthHoweverLongTheyAre() {
    long[] moments =
        LongStream.concat(
                LongStream.rangeClosed(0, 100).map(i -> i * 10),
                LongStream.of(100_001_000, 140_001_000, 200_001_000))
            .toArray();
    PictureScale scale = new PictureScale(moments, 0, 1000);
    assertThat(scale.pauses())
        .extracting(PictureScale.Pause::nanos)
        .containsExactly(100_000_000L, 40_000_000L, 60_000_000L);
    double busy = 1000 - 3 * PictureScale.PAUSE;
    assertThat(scale.x(500)).isCloseTo(busy / 2, within(EXACT));
    assertThat(scale.x(1000)).isCloseTo(busy, within(EXACT));
    assertThat(scale.x(50_001_000)).isCloseTo(busy + PictureScale.PAUSE / 2, within(EXACT));
    assertThat(scale.isPause(50_001_000)).isTrue();
    assertThat(scale.isPause(500)).isFalse();
    assertThat(scale.x(200_001_000)).isCloseTo(1000, within(EXACT));
  }

  /** As of an application that waits longer after each attempt. */
  @Test
  void pausesTakeAtMostHalfOfTheWidth() {
    long[] moments = new long[100];
    double gap = 1_000;
    for (int i = 1; i < moments.length; i++) {
      moments[i] = moments[i - 1] + (i < 60 ? 1 : (long) gap);
      gap *= i < 60 ? 1 : 1.5;
    }
    PictureScale scale = new PictureScale(moments, 0, 700);
    assertThat(scale.pauses()).hasSize(10);
    assertThat(scale.pauses().getLast().to()).isEqualTo(moments[99]);
    long paused = scale.pauses().stream().mapToLong(PictureScale.Pause::nanos).sum();
    assertThat(scale.nanosOf(700 - 10 * PictureScale.PAUSE))
        .isCloseTo(moments[99] - paused, within(1.0));
    assertThat(scale.x(moments[99])).isCloseTo(700, within(EXACT));
  }

  @Test
  void laterIsNeverFurtherLeft() {
    PictureScale scale = new PictureScale(new long[] {0, 1, 2, 3, 5_000, 5_001, 9_000_000}, 0, 900);
    double before = -1;
    for (long nanos = 0; nanos <= 9_000_000; nanos += 1 + nanos / 50) {
      assertThat(scale.x(nanos)).isGreaterThanOrEqualTo(before);
      before = scale.x(nanos);
    }
  }

  @Test
  void anEmptyTraceHasAScale() {
    assertThat(new PictureScale(new long[0], 5, 100).x(7)).isGreaterThanOrEqualTo(5);
  }
}
