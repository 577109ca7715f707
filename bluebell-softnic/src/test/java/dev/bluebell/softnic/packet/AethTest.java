package dev.bluebell.softnic.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Syndromes of an AETH, and the times that their codes stand for. */
class AethTest {
  // The InfiniBand specification's table of RNR NAK timer values, in microseconds.
  private static final long[] RNR_MICROSECONDS = {
    655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
    5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
    327_680, 491_520
  };

  @Test
  void timerCodesStandForTheTimesOfTheSpecification() {
    for (int code = 0; code < 32; code++) {
      assertThat(Aeth.rnrNanos(code)).as("code %d", code).isEqualTo(RNR_MICROSECONDS[code] * 1000);
    }
  }

  @Test
  void aTimerCodeHasFiveBits() {
    assertThat(Aeth.rnrNanos(0x21)).isEqualTo(10_000);
    assertThat(Aeth.rnrTimer(0x3f)).isEqualTo(31);
    assertThat(Aeth.rnrTimer(0x20)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 8192", "14, 67108864", "31, 8796093022208"})
  void aTimeoutCodeIsALogarithmOf4096Nanoseconds(int code, long nanos) {
    assertThat(Aeth.timeoutNanos(code)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({
    "0x00, true, false",
    "0x1f, true, false",
    "0x20, false, true",
    "0x3f, false, true",
    "0x60, false, false",
    "0x63, false, false",
    "0x9f, true, false",
  })
  void bitsSixAndFiveTellTheKind(String syndrome, boolean ack, boolean rnr) {
    int value = Integer.decode(syndrome);
    assertThat(Aeth.isAck(value)).isEqualTo(ack);
    assertThat(Aeth.isRnrNak(value)).isEqualTo(rnr);
  }

  @Test
  void codesAreThoseOfTheSpecification() {
    assertThat(Aeth.ACK).isEqualTo(0x1f);
    assertThat(Aeth.PSN_SEQUENCE_NAK).isEqualTo(0x60);
    assertThat(Aeth.INVALID_REQUEST_NAK).isEqualTo(0x61);
    assertThat(Aeth.REMOTE_ACCESS_NAK).isEqualTo(0x62);
    assertThat(Aeth.REMOTE_OPERATION_NAK).isEqualTo(0x63);
  }
}
