package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The network header in front of a datagram. */
class NetworkHeaderTest {
  private static final String IPV6 =
      "66812345"
          + "00101140"
          + "fe800000000000000000000000000001"
          + "fe800000000000000000000000000002";
  private static final String IPV4 =
      "00".repeat(20) + "456800301234400040110000" + "0a000001" + "0a000002";

  private static MemorySegment memory(String hex) {
    return MemorySegment.ofArray(HexFormat.of().parseHex("ee".repeat(8) + hex + "ee".repeat(8)));
  }

  @Test
  void anIpv6HeaderHasAllFields() {
    NetworkHeader header = new NetworkHeader().at(memory(IPV6), 8, NetworkHeader.Kind.IPV6);
    assertThat(header.kind()).isEqualTo(NetworkHeader.Kind.IPV6);
    assertThat(header.source()).isEqualTo(new Gid(0xfe80L << 48, 1));
    assertThat(header.destination()).isEqualTo(new Gid(0xfe80L << 48, 2));
    assertThat(header.trafficClass()).isEqualTo(0x68);
    assertThat(header.flowLabel()).isEqualTo(0x12345);
    assertThat(header.hopLimit()).isEqualTo(64);
  }

  @Test
  void aGlobalRouteHeaderIsLaidOutAsThatOfIpv6() {
    NetworkHeader header = new NetworkHeader().at(memory(IPV6), 8, NetworkHeader.Kind.GLOBAL_ROUTE);
    assertThat(header.source()).isEqualTo(new Gid(0xfe80L << 48, 1));
    assertThat(header.hopLimit()).isEqualTo(64);
  }

  @Test
  void anIpv4HeaderIsTheLastTwentyBytes() {
    NetworkHeader header = new NetworkHeader().at(memory(IPV4), 8, NetworkHeader.Kind.IPV4);
    assertThat(header.source()).isEqualTo(Gid.ofIpv4(0x0a000001));
    assertThat(header.destination()).isEqualTo(Gid.ofIpv4(0x0a000002));
    assertThat(header.trafficClass()).isEqualTo(0x68);
    assertThat(header.flowLabel()).isZero();
    assertThat(header.hopLimit()).isEqualTo(64);
  }

  @Test
  void accessWithoutAHeaderIsRefused() {
    NetworkHeader header = new NetworkHeader();
    assertThatIllegalStateException().isThrownBy(header::source);
    header.at(memory(IPV4), 8, NetworkHeader.Kind.NONE);
    assertThatIllegalStateException()
        .isThrownBy(header::hopLimit)
        .withMessageContaining("without a network header");
  }

  @Test
  void aBufferThatIsTooShortIsRefused() {
    MemorySegment buffer = memory(IPV6);
    assertThatThrownBy(() -> new NetworkHeader().at(buffer, 17, NetworkHeader.Kind.IPV6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new NetworkHeader().at(buffer, -1, NetworkHeader.Kind.IPV4))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
