package dev.bluebell.softnic.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The 40 bytes in front of a datagram. */
class NetworkHeaderTest {
  private final LoneMemory header = new LoneChip().memory(64);
  private final Packet datagram = new Packet();

  private void from(Gid source, Gid destination) {
    datagram.opcode = 0x64;
    datagram.sourceGidHigh = source.high();
    datagram.sourceGidLow = source.low();
    datagram.destinationGidHigh = destination.high();
    datagram.destinationGidLow = destination.low();
    datagram.trafficClass = 0x6a;
    datagram.hopLimit = 63;
    datagram.flowLabel = 0x12345;
    datagram.payloadBytes = 61;
  }

  private String written() {
    return HexFormat.of().formatHex(header.bytes(0, 48));
  }

  @Test
  void anIpv6HeaderHasClassLabelLengthHopLimitAndBothGids() {
    from(new Gid(0xfe80L << 48, 0x1122), new Gid(0xfe80L << 48, 0x3344));
    assertThat(NetworkHeader.write(header.address(0), datagram, false)).isEqualTo(Cqe.L3_IPV6);
    // 32 bytes of transport headers, and a payload padded to 64.
    assertThat(written())
        .isEqualTo(
            "66a12345"
                + "0060"
                + "11"
                + "3f"
                + "fe800000000000000000000000001122"
                + "fe800000000000000000000000003344"
                + "0000000000000000");
  }

  @Test
  void anImmediateMakesThePacketFourBytesLonger() {
    from(new Gid(0xfe80L << 48, 1), new Gid(0xfe80L << 48, 2));
    datagram.opcode = 0x65;
    datagram.payloadBytes = 64;
    NetworkHeader.write(header.address(0), datagram, false);
    assertThat(written()).startsWith("66a12345" + "0064" + "113f");
  }

  @Test
  void anIpv4HeaderFillsTheLastTwentyBytesAndHasAChecksum() {
    from(Gid.ofIpv4(0xc0a80001), Gid.ofIpv4(0xc0a800c7));
    header.count(0, 40);
    assertThat(NetworkHeader.write(header.address(0), datagram, false)).isEqualTo(Cqe.L3_IPV4);
    assertThat(written())
        .isEqualTo(
            "a5".repeat(20)
                + "456a0074"
                + "00004000"
                + "3f11"
                + checksum()
                + "c0a80001"
                + "c0a800c7"
                + "0000000000000000");
  }

  /** The ones' complement of the sum of all 16-bit words, as RFC 1071 says it. */
  private static String checksum() {
    int[] words = {0x456a, 0x0074, 0, 0x4000, 0x3f11, 0xc0a8, 0x0001, 0xc0a8, 0x00c7};
    int sum = 0;
    for (int word : words) {
      sum += word;
      sum = (sum & 0xffff) + (sum >> 16);
    }
    return "%04x".formatted(~sum & 0xffff);
  }

  @Test
  void anIpv4ChecksumCarriesTwice() {
    // The first sum of these is 0x1ffff, whose own carry makes another.
    from(Gid.ofIpv4(0xffffffff), Gid.ofIpv4(0xffffffff));
    NetworkHeader.write(header.address(0), datagram, false);
    int sum = 0;
    for (int i = 20; i < 40; i += 2) {
      byte[] word = header.bytes(i, 2);
      sum += (word[0] & 0xff) << 8 | word[1] & 0xff;
    }
    while (sum >> 16 != 0) {
      sum = (sum & 0xffff) + (sum >> 16);
    }
    assertThat(sum).isEqualTo(0xffff);
  }

  @Test
  void aGidIsIpv4MappedAfterTenZeroBytesAndTwoBytesOfOnes() {
    assertThat(NetworkHeader.isIpv4(0, 0xffff_0a00_0001L)).isTrue();
    assertThat(NetworkHeader.isIpv4(1, 0xffff_0a00_0001L)).isFalse();
    assertThat(NetworkHeader.isIpv4(0, 0x1_ffff_0a00_0001L)).isFalse();
    assertThat(NetworkHeader.isIpv4(0, 0xfffe_0a00_0001L)).isFalse();
  }
}
