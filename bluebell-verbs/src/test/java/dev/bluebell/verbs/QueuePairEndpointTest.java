package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Gid;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints as bytes and as text, for exchange by any means. */
class QueuePairEndpointTest {
  private static final QueuePairEndpoint ENDPOINT =
      new QueuePairEndpoint(
          new Gid(0xfe80_0000_0000_0000L, 0x0123_4567_89ab_cdefL), 0x00abcd, 0xfedcba, 4096, 200);

  @Test
  void anEndpointSurvivesItsBytes() {
    assertThat(ENDPOINT.bytes()).hasSize(QueuePairEndpoint.BYTES);
    assertThat(QueuePairEndpoint.of(ENDPOINT.bytes())).isEqualTo(ENDPOINT);
    assertThat(HexFormat.of().formatHex(ENDPOINT.bytes()))
        .isEqualTo("01c810000000abcd00fedcba00000000fe800000000000000123456789abcdef");
  }

  @Test
  void anEndpointSurvivesItsText() {
    assertThat(ENDPOINT.toString())
        .isEqualTo(
            "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd psn=0xfedcba mtu=4096"
                + " reads=200");
    assertThat(QueuePairEndpoint.parse(ENDPOINT.toString())).isEqualTo(ENDPOINT);
    assertThat(QueuePairEndpoint.parse("  " + ENDPOINT + "\n")).isEqualTo(ENDPOINT);
  }

  @Test
  void onInfiniBandBothFormsHaveTheLid() {
    QueuePairEndpoint endpoint =
        new QueuePairEndpoint(ENDPOINT.gid(), 0xbffe, 0x00abcd, 0xfedcba, 4096, 200);
    assertThat(HexFormat.of().formatHex(endpoint.bytes()))
        .isEqualTo("01c810000000abcd00fedcba0000bffefe800000000000000123456789abcdef");
    assertThat(QueuePairEndpoint.of(endpoint.bytes())).isEqualTo(endpoint);
    assertThat(endpoint.toString())
        .isEqualTo(
            "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef lid=0xbffe qpn=0x00abcd psn=0xfedcba"
                + " mtu=4096 reads=200");
    assertThat(QueuePairEndpoint.parse(endpoint.toString())).isEqualTo(endpoint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef",
        "gid=fe80::1 qpn=0x00abcd psn=0xfedcba mtu=4096 reads=16",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=43981 psn=0xfedcba mtu=4096 reads=16",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd psn=0xfedcba mtu=1500 reads=16",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd psn=0xfedcba mtu=4096 reads=999"
      })
  void otherTextIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> QueuePairEndpoint.parse(text));
  }

  @Test
  void otherBytesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueuePairEndpoint.of(new byte[31]))
        .withMessageContaining("an endpoint has 32 bytes, not 31");
    byte[] future = ENDPOINT.bytes();
    future[0] = 2;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueuePairEndpoint.of(future))
        .withMessageContaining("same version");
    byte[] wrongMtu = ENDPOINT.bytes();
    wrongMtu[2] = 5;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueuePairEndpoint.of(wrongMtu))
        .withMessageContaining("path MTU");
  }

  @Test
  void aGidInItsShortFormIsRefusedByItsForm() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                QueuePairEndpoint.parse(
                    "gid=fe80::be:11ff:fe87:eaf5 qpn=0x000d40 psn=0x000123 mtu=1024 reads=16"))
        .withMessageContaining("a GID has eight groups of four hexadecimal digits")
        .withMessageContaining("not 'fe80::be:11ff:fe87:eaf5'");
  }

  @Test
  void numbersOutsideTheirRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueuePairEndpoint(Gid.ZERO, 1 << 24, 0, 4096, 16));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueuePairEndpoint(Gid.ZERO, 1, -1, 4096, 16));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueuePairEndpoint(Gid.ZERO, 1, 0, 4096, 256));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueuePairEndpoint(Gid.ZERO, 1 << 16, 1, 0, 4096, 16));
    byte[] hugeLid = ENDPOINT.bytes();
    hugeLid[13] = 1;
    assertThatIllegalArgumentException().isThrownBy(() -> QueuePairEndpoint.of(hugeLid));
  }
}
