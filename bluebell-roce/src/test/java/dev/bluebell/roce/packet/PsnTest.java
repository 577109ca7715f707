package dev.bluebell.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packet sequence numbers wrap at 24 bits. */
class PsnTest {

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "0xffffff, 1, 0", "0xfffff0, 0x20, 0x10", "0, -1, 0xffffff"})
  void additionWraps(String psn, String count, String sum) {
    assertThat(Psn.add(Integer.decode(psn), Integer.decode(count))).isEqualTo(Integer.decode(sum));
  }

  @ParameterizedTest
  @CsvSource({
    "5, 5, 0",
    "5, 6, 1",
    "6, 5, -1",
    "0xffffff, 0, 1",
    "0, 0xffffff, -1",
    "0, 0x7fffff, 0x7fffff",
    "0, 0x800000, -0x800000",
  })
  void distanceIsSignedAndWraps(String from, String to, String distance) {
    assertThat(Psn.distance(Integer.decode(from), Integer.decode(to)))
        .isEqualTo(Integer.decode(distance));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 8, 1",
    "1, 8, 1",
    "256, 8, 1",
    "257, 8, 2",
    "4096, 12, 1",
    "4097, 12, 2",
    "1073741824, 8, 4194304",
    "2147483648, 12, 524288",
  })
  void anEmptyMessageTakesOnePacketAndOthersAsManyAsTheyNeed(long bytes, int logMtu, int packets) {
    assertThat(Psn.packets(bytes, logMtu)).isEqualTo(packets);
  }

  @Test
  void aPsnHas24Bits() {
    assertThat(Psn.MASK).isEqualTo(0xffffff);
  }
}
