package dev.bluebell.hca.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes of timeouts, and the times that they encode. */
class QpTimersTest {
  // The InfiniBand specification's table of RNR NAK timer values, in microseconds.
  private static final long[] RNR_MICROSECONDS = {
    655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
    5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
    327_680, 491_520
  };

  @Test
  void timerCodesStandForTheTimesOfTheSpecification() {
    for (int code = 0; code < 32; code++) {
      assertThat(QpTimers.rnrNanos(code))
          .as("code %d", code)
          .isEqualTo(RNR_MICROSECONDS[code] * 1000);
    }
  }

  @Test
  void aTimerCodeHasFiveBits() {
    assertThat(QpTimers.rnrNanos(0x21)).isEqualTo(10_000);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 8192", "14, 67108864", "31, 8796093022208"})
  void aTimeoutCodeIsALogarithmOf4096Nanoseconds(int code, long nanos) {
    assertThat(QpTimers.ackNanos(code)).isEqualTo(nanos);
  }

  @Test
  void aTimeHasTheCodeOfTheNextLongerOne() {
    for (int code = 1; code < 32; code++) {
      assertThat(QpTimers.ackCode(QpTimers.ackNanos(code))).isEqualTo(code);
      assertThat(QpTimers.rnrCode(QpTimers.rnrNanos(code))).isEqualTo(code);
      assertThat(QpTimers.ackCode(QpTimers.ackNanos(code) / 2 + 1)).isEqualTo(code);
    }
    assertThat(QpTimers.ackCode(1)).isEqualTo(1);
    assertThat(QpTimers.rnrCode(1)).isEqualTo(1);
    assertThat(QpTimers.rnrCode(10_001)).isEqualTo(2);
    // The longest time has the lowest code.
    assertThat(QpTimers.rnrCode(491_520_001)).isZero();
    assertThat(QpTimers.rnrCode(655_360_000)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 8_796_093_022_209L, Long.MAX_VALUE})
  void aTimeWithoutACodeIsRefused(long nanos) {
    assertThatIllegalArgumentException().isThrownBy(() -> QpTimers.ackCode(nanos));
    assertThatIllegalArgumentException().isThrownBy(() -> QpTimers.rnrCode(nanos));
  }
}
