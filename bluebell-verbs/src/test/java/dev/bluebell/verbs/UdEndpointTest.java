package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Gid;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints of datagrams as bytes and as text, for exchange by any means. */
class UdEndpointTest {
  private static final UdEndpoint ENDPOINT =
      new UdEndpoint(
          new Gid(0xfe80_0000_0000_0000L, 0x0123_4567_89ab_cdefL), 0x00abcd, 0x87654321, 4096);

  @Test
  void anEndpointSurvivesItsBytes() {
    assertThat(UdEndpoint.of(ENDPOINT.bytes())).isEqualTo(ENDPOINT);
    assertThat(HexFormat.of().formatHex(ENDPOINT.bytes()))
        .isEqualTo("010010000000abcd876543210000fe800000000000000123456789abcdef");
  }

  @Test
  void anEndpointSurvivesItsText() {
    assertThat(ENDPOINT)
        .hasToString(
            "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd qkey=0x87654321 mtu=4096");
    assertThat(UdEndpoint.parse(" " + ENDPOINT + "\n")).isEqualTo(ENDPOINT);
  }

  @Test
  void onInfiniBandBothFormsHaveTheLid() {
    UdEndpoint endpoint = new UdEndpoint(ENDPOINT.gid(), 0x12, 0x00abcd, 0x87654321, 4096);
    assertThat(HexFormat.of().formatHex(endpoint.bytes()))
        .isEqualTo("010010000000abcd876543210012fe800000000000000123456789abcdef");
    assertThat(UdEndpoint.of(endpoint.bytes())).isEqualTo(endpoint);
    assertThat(endpoint)
        .hasToString(
            "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef lid=0x0012 qpn=0x00abcd qkey=0x87654321"
                + " mtu=4096");
    assertThat(UdEndpoint.parse(endpoint.toString())).isEqualTo(endpoint);
  }

  @Test
  void aGroupHasTheNumberOfAllReceivers() {
    UdEndpoint group = UdEndpoint.ofGroup(ENDPOINT.gid(), 0xc001, 0x22, 2048);
    assertThat(group).isEqualTo(new UdEndpoint(ENDPOINT.gid(), 0xc001, 0xffffff, 0x22, 2048));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 0xbfff, 0xffff})
  void aGroupHasNoLidOfAPort(int lid) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UdEndpoint.ofGroup(ENDPOINT.gid(), lid, 0x22, 2048))
        .withMessage(
            "lid 0x%x is not the LID of a group: use 0xc000 to 0xfffe on InfiniBand, 0 on Ethernet"
                .formatted(lid));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd psn=0xfedcba mtu=4096 reads=16",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd qkey=0x654321 mtu=4096",
        "gid=fe80:0000:0000:0000:0123:4567:89ab:cdef qpn=0x00abcd qkey=0x87654321 mtu=1500"
      })
  void otherTextIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> UdEndpoint.parse(text));
  }

  @Test
  void otherBytesAreRefused() {
    byte[] connection = new QueuePairEndpoint(Gid.ZERO, 1, 2, 256, 3).bytes();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UdEndpoint.of(connection))
        .withMessageContaining("30 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueuePairEndpoint.of(ENDPOINT.bytes()))
        .withMessageContaining("32 bytes");
    byte[] future = ENDPOINT.bytes();
    future[0] = 2;
    assertThatIllegalArgumentException().isThrownBy(() -> UdEndpoint.of(future));
  }

  @Test
  void numbersOutsideTheirRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new UdEndpoint(Gid.ZERO, 1 << 24, 0, 4096));
    assertThatIllegalArgumentException().isThrownBy(() -> new UdEndpoint(Gid.ZERO, 1, 0, 1500));
  }
}
