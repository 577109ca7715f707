package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Gid;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints of DC targets as bytes and as text, for exchange by any means. */
class DcEndpointTest {
  private static final DcEndpoint ENDPOINT =
      new DcEndpoint(
          new Gid(0xfe80_0000_0000_0000L, 0x0123_4567_89ab_cdefL),
          0x00abcd,
          0x8765_4321_0fed_cba9L,
          4096);

  @Test
  void anEndpointSurvivesItsBytes() {
    assertThat(DcEndpoint.of(ENDPOINT.bytes())).isEqualTo(ENDPOINT);
    assertThat(HexFormat.of().formatHex(ENDPOINT.bytes()))
        .isEqualTo("010010000000abcd00000000876543210fedcba9fe800000000000000123456789abcdef");
  }

  @Test
  void anEndpointSurvivesItsText() {
    assertThat(ENDPOINT)
        .hasToString(
            "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef dctn=0x00abcd key=0x876543210fedcba9"
                + " mtu=4096");
    assertThat(DcEndpoint.parse(" " + ENDPOINT + "\n")).isEqualTo(ENDPOINT);
  }

  @Test
  void onInfiniBandBothFormsHaveTheLid() {
    DcEndpoint endpoint =
        new DcEndpoint(ENDPOINT.gid(), 0x12, ENDPOINT.dctn(), ENDPOINT.accessKey(), ENDPOINT.mtu());
    assertThat(endpoint.bytes()[11]).isEqualTo((byte) 0x12);
    assertThat(DcEndpoint.of(endpoint.bytes())).isEqualTo(endpoint);
    assertThat(endpoint.toString()).contains(" lid=0x0012 dctn=");
    assertThat(DcEndpoint.parse(endpoint.toString())).isEqualTo(endpoint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd qkey=0x87654321 mtu=4096",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef dctn=0x00abcd key=0x87654321 mtu=4096",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef dctn=0x00abcd key=0x876543210fedcba9 mtu=1500"
      })
  void otherTextIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> DcEndpoint.parse(text));
  }

  @Test
  void otherBytesAreRefused() {
    byte[] connection = new QueuePairEndpoint(Gid.ZERO, 1, 2, 256, 3).bytes();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DcEndpoint.of(connection))
        .withMessageContaining("36 bytes");
    byte[] future = ENDPOINT.bytes();
    future[0] = 2;
    assertThatIllegalArgumentException().isThrownBy(() -> DcEndpoint.of(future));
  }

  @Test
  void numbersOutsideTheirRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DcEndpoint(Gid.ZERO, 1 << 24, 0, 4096));
    assertThatIllegalArgumentException().isThrownBy(() -> new DcEndpoint(Gid.ZERO, 1, 0, 1500));
  }
}
