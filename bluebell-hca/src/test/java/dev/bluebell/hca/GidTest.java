package dev.bluebell.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {

  @Test
  void textHasEightGroupsInWireOrder() {
    Gid gid = new Gid(0xfe80000000000000L, 0x0e42a1fffe5d0002L);
    assertThat(gid).hasToString("fe80:0000:0000:0000:0e42:a1ff:fe5d:0002");
    assertThat(Gid.parse("FE80:0000:0000:0000:0e42:a1ff:fe5d:0002")).isEqualTo(gid);
    assertThat(gid.bytes())
        .containsExactly(
            0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x0e, 0x42, 0xa1, 0xff, 0xfe, 0x5d, 0x00, 0x02);
  }

  @Test
  void anIpv4AddressIsMapped() {
    assertThat(Gid.ofIpv4(0xc0a80001)).hasToString("0000:0000:0000:0000:0000:ffff:c0a8:0001");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void textAndBytesAreReversible(int seed) {
    Random random = new Random(seed);
    Gid gid = new Gid(random.nextLong(), random.nextLong());
    assertThat(Gid.parse(gid.toString())).isEqualTo(gid);
    assertThat(Gid.of(gid.bytes())).isEqualTo(gid);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fe80::1",
        "fe80:0000:0000:0000:0e42:a1ff:fe5d:00021",
        "fe80:0000:0000:0000:0e42:a1ff:fe5d0002:",
        "fe8:00000:0000:0000:0e42:a1ff:fe5d:0002",
        "fe80:0000:0000:0000:0e42:a1ff:fe5d:000g",
        "fe80-0000-0000-0000-0e42-a1ff-fe5d-0002"
      })
  void otherTextIsRefusedWithAnExample(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gid.parse(text))
        .withMessageContaining("eight groups")
        .withMessageContaining(text);
  }

  @Test
  void otherLengthsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gid.of(new byte[15]))
        .withMessage("a GID has 16 bytes, not 15");
  }
}
