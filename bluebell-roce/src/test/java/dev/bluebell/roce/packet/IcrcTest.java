package dev.bluebell.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The ICRC agrees with ICRCs that other implementations computed. */
class IcrcTest {
  private static final String WRITE_IPV4 =
      "4500004400004000401126a50a0000010a000002c12312b7003000000a30ffff0000001180000064"
          + "00007f00123456780000123400000005"
          + "68656c6c6f000000"
          + "93544b0a";

  /** Captured on a ConnectX-4 Lx, from scapy's test/contrib/roce.uts. */
  private static final String CONNECTX_CNP =
      "45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff4000011800000000"
          + "00000000000000000000000000000000"
          + "82fd002a";

  private final PacketView view = new PacketView();

  @ParameterizedTest
  @CsvSource({
    "RC_WRITE_ONLY, " + WRITE_IPV4,
    "CNP, " + CONNECTX_CNP,
    "UC_SEND_ONLY, 45010040047840004011b4d5c0a80007c0a80007c00012b7002caca2"
        + "2460ffff000000d300cf171046"
        + "30818be28935d90e9a95505401be885e50000078f353f3",
    "RC_ACKNOWLEDGE, 450200300000400040110000"
        + "0a0000020a000001c12312b7001c0000"
        + "1100ffff00000012000000641f000001626ca100",
    "UD_SEND_ONLY, 6020000000241140fd000000000000000000000000000001"
        + "fd000000000000000000000000000002c12312b7002400006410ffff0000001100000007"
        + "11111111000000126162630"
        + "0bc1fb888",
  })
  void theComputedIcrcIsThatOfForeignPackets(String opcode, String hex) {
    ByteBuffer packet = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    assertThat(view.wrap(packet, 0, packet.limit(), packet.limit(), LinkType.RAW_IP))
        .isEqualTo(Problem.NONE);
    assertThat(BthOpcode.text(view.opcode())).isEqualTo(opcode);
    assertThat(Integer.toHexString(view.computeIcrc())).isEqualTo(Integer.toHexString(view.icrc()));
  }

  @Test
  void piecesGiveTheSameAsTheWhole() {
    ByteBuffer packet = ByteBuffer.wrap(HexFormat.of().parseHex(WRITE_IPV4));
    Icrc icrc = new Icrc();
    int bth = 28;
    int from = bth + 12;
    int to = packet.limit() - 4;
    for (int middle = from; middle <= to; middle++) {
      int value =
          icrc.ipv4(packet, 0, bth)
              .add(packet, from, middle - from)
              .add(packet, middle, to - middle)
              .wire();
      assertThat(value).isEqualTo(0x93544b0a);
      assertThat(packet.position()).isZero();
      assertThat(packet.limit()).isEqualTo(packet.capacity());
    }
  }

  @Test
  void aChangeOfTheIdentificationIsFoundFromItsEffectInPacketsOfAnyLength() {
    byte[] packet = new byte[0x1_0000];
    for (int behind = 0; behind < packet.length - Short.BYTES; behind += 1 + behind / 100) {
      int bytes = Short.BYTES + behind;
      int before = wire(packet, bytes);
      packet[0] = 0x12;
      packet[1] = (byte) 0xfe;
      assertThat(Icrc.change(before ^ wire(packet, bytes), behind)).isEqualTo(0x12fe);
      packet[0] = 0;
      packet[1] = 0;
    }
  }

  private static int wire(byte[] packet, int bytes) {
    CRC32 crc = new CRC32();
    crc.update(packet, 0, bytes);
    return Integer.reverseBytes((int) crc.getValue());
  }

  /** Networks without a captured packet of ours: at least it is clear which bits count. */
  private enum Network {
    IPV4(LinkType.RAW_IP, WRITE_IPV4, "ipv4.tos ipv4.ttl ipv4.checksum udp.checksum"),
    IPV6(
        LinkType.RAW_IP,
        "6020000000241140fd000000000000000000000000000001fd000000000000000000000000000002"
            + "c12312b7002400006410ffff0000001100000007111111110000001261626300bc1fb888",
        "ipv6.tclass ipv6.flowlabel ipv6.hoplimit udp.checksum"),
    V1(
        LinkType.ETHERNET,
        "5254007700015254007700028915"
            + "60000000001c1b40fd000000000000000000000000000001fd000000000000000000000000000002"
            + "6400ffff0000001100000007111111110000001261626364"
            + "00000000",
        "eth.dst eth.src eth.type grh.tclass grh.flowlabel grh.hoplmt"),
    INFINIBAND(
        LinkType.INFINIBAND,
        "0002000900070003" + "0400ffff0000001100000007" + "61626364" + "00000000" + "0000",
        "lrh.vl");

    private final LinkType link;
    private final ByteBuffer packet;
    private final List<String> masked;

    Network(LinkType link, String hex, String masked) {
      this.link = link;
      packet = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
      this.masked = List.of((masked + " bth.f bth.b bth.resv6").split(" "));
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyTheFieldsThatMayChangeOnTheWayAreLeftOut(Network network) {
    ByteBuffer packet = network.packet;
    assertThat(view.wrap(packet, 0, packet.limit(), packet.limit(), network.link))
        .isEqualTo(Problem.NONE);
    int good = view.computeIcrc();
    List<String> indifferent = new ArrayList<>();
    for (int i = 0; i < view.headers(); i++) {
      for (Field field : view.header(i).fields()) {
        int at = view.headerAt(i) + field.bit() / 8;
        byte mask = (byte) (0x80 >>> field.bit() % 8);
        packet.put(at, (byte) (packet.get(at) ^ mask));
        if (view.computeIcrc() == good) {
          indifferent.add(view.header(i) + "." + field.name());
        }
        packet.put(at, (byte) (packet.get(at) ^ mask));
      }
    }
    assertThat(indifferent).containsExactlyInAnyOrderElementsOf(network.masked);
  }
}
