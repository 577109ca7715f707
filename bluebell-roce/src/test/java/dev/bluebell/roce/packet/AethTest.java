package dev.bluebell.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Syndromes of an AETH. */
class AethTest {
  @Test
  void aTimerCodeHasFiveBits() {
    assertThat(Aeth.rnrTimer(0x3f)).isEqualTo(31);
    assertThat(Aeth.rnrTimer(0x20)).isZero();
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
  void bitsSixAndFiveDetermineTheKind(String syndrome, boolean ack, boolean rnr) {
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
