package dev.bluebell.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.bluebell.roce.Captures;
import dev.bluebell.roce.capture.CapturedPacket;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views, values and text of packets. */
class PacketTest {
  private static final String FRAME = "520000000002020000000001" + "0800" + ipv4Write();

  private final PacketView view = new PacketView();

  private static String ipv4Write() {
    return "4500004400004000401126a50a0000010a000002c12312b7003000000a30ffff0000001180000064"
        + "00007f0012345678000012340000000568656c6c6f00000093544b0a";
  }

  private Problem wrap(String hex, LinkType link) {
    ByteBuffer packet = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    return view.wrap(packet, 0, packet.limit(), packet.limit(), link);
  }

  @Test
  void aPacketIsReadableAsText() {
    assertThat(wrap(FRAME + "0000", LinkType.ETHERNET)).isEqualTo(Problem.NONE);
    assertThat(Packet.of(view).text().lines())
        .containsExactly(
            "packet {",
            "  eth dst=52:00:00:00:00:02 src=02:00:00:00:00:01 type=0x0800",
            "  ipv4 version=4 ihl=5 tos=0x00 len=68 id=0x0000 flags=0x2 fragment=0 ttl=64"
                + " protocol=17 checksum=0x26a5 src=10.0.0.1 dst=10.0.0.2",
            "  udp src=49443 dst=4791 len=48 checksum=0x0000",
            "  bth opcode=RC_WRITE_ONLY se=0 m=0 pad=3 tver=0 pkey=0xffff f=0 b=0 resv6=0x00"
                + " destqp=0x000011 a=1 resv7=0x00 psn=0x000064",
            "  reth va=0x00007f0012345678 rkey=0x00001234 dmalen=5",
            "  payload 68656c6c6f",
            "  pad 000000",
            "  icrc 93544b0a",
            "  trailer 0000",
            "}");
  }

  @Test
  void longWordsAreNeitherParsedNorRepeated() {
    String digits = "9".repeat(900_000);
    for (String line :
        List.of(
            "bth psn=" + digits,
            "bth psn=0x" + digits,
            "bth " + digits + "=1",
            digits + " psn=1",
            "grh sgid=" + "1:".repeat(400_000),
            "}\n" + digits)) {
      assertThatThrownBy(() -> Packet.parse("packet {\n" + line + "\n}"))
          .isInstanceOf(IllegalArgumentException.class)
          .message()
          .hasSizeLessThan(800);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ETHERNET, 520000000002020000000001810000640800",
    "ETHERNET, 52000000000202000000000188a8000a810000640800",
    "LINUX_SLL, 00000001000652000000000200000800",
    "LINUX_SLL2, 0800000000000002000100065200000000020000",
    "RAW_IP, ''",
    "IPV4, ''",
  })
  void linkHeadersInFrontMakeNoDifference(LinkType link, String hex) {
    assertThat(wrap(hex + ipv4Write(), link)).isEqualTo(Problem.NONE);
    assertThat(view.isIcrcGood()).isTrue();
    Packet packet = Packet.of(view);
    assertThat(Packet.parse(packet.text())).isEqualTo(packet);
    assertThat(HexFormat.of().formatHex(packet.bytes())).isEqualTo(hex + ipv4Write());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 46, IPV4_OPTIONS",
    "0, 65, NETWORK_VERSION",
    "2, ff, NETWORK_LENGTH",
    "6, 20, FRAGMENT",
    "7, 01, FRAGMENT",
    "9, 06, NOT_UDP",
    "22, 00, NOT_ROCE",
    "25, 10, UDP_LENGTH",
    "25, 31, UDP_LENGTH",
    "28, 0f, NONE",
    "28, 12, NONE",
    "28, 13, NO_ROOM",
    "28, 15, OPCODE",
    "28, df, OPCODE",
    "29, 31, TRANSPORT_VERSION",
  })
  void problemsOfAPacketAreNamed(int at, String value, Problem problem) {
    String hex = ipv4Write();
    String changed = hex.substring(0, at * 2) + value + hex.substring(at * 2 + 2);
    assertThat(wrap(changed, LinkType.IPV4)).isEqualTo(problem);
    // What can't be understood is there all the same.
    assertThat(HexFormat.of().formatHex(Packet.parse(Packet.of(view).text()).bytes()))
        .isEqualTo(changed);
  }

  @Test
  void aPacketThatWasCapturedInPartHasHeadersButNoIcrc() {
    byte[] bytes = HexFormat.of().parseHex(ipv4Write());
    ByteBuffer packet = ByteBuffer.wrap(bytes);
    assertThat(view.wrap(packet, 0, 58, bytes.length, LinkType.IPV4)).isEqualTo(Problem.NONE);
    assertThat(view.hasIcrc()).isFalse();
    assertThat(view.payloadBytes()).isEqualTo(5);
    assertThat(Packet.of(view).payload()).isEqualTo("6865");
    assertThat(view.wrap(packet, 0, 50, bytes.length, LinkType.IPV4)).isEqualTo(Problem.NO_BTH);
  }

  @Test
  void aViewNeedsARangeOfItsBufferInBigEndianOrder() {
    ByteBuffer buffer = ByteBuffer.allocate(64);
    assertThatThrownBy(() -> view.wrap(buffer, 1, 64, 64, LinkType.ETHERNET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("64 are at 1 in a buffer of 64 bytes");
    ByteBuffer little = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> view.wrap(little, 0, 64, 64, LinkType.ETHERNET))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "packet { ; bht opcode=1 | line 2: no header is called 'bht'; the headers are eth, vlan",
        "packet { ; bth opcod=1 | no field is called 'opcod' in bth; the fields are opcode, se",
        "packet { ; bth opcode | opcode needs a value: write opcode=0",
        "packet { ; bth opcode=RC_SND | 'RC_SND' is not a value of opcode, such as RC_SEND_MIDDLE",
        "packet { ; bth psn=0x1000000 | psn of bth has 24 bits, which is too few for 16777216",
        "packet { ; ipv4 src=1.2.3 | '1.2.3' is not a value of src, such as 0.0.0.1",
        "packet { ; ipv6 src=1::2::3 | '1::2::3' is not a value of src, such as ::1",
        "packet { ; icrc 00000000 ; payload 00 | payload comes before icrc",
        "packet { ; payload 00 ; bth a=1 | bth is after the payload",
        "packet { ; payload 0 | line 2: ",
        "packet { | the packet has no end: close it with '}'",
        "wqe { | line 1: a packet begins with 'packet {'",
      })
  void anErrorInATextIsReportedWithItsLine(String text, String message) {
    assertThatThrownBy(() -> Packet.parse(text.replace(';', '\n')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void lookingAtPacketsAllocatesNothing() {
    CapturedPacket[] packets = Captures.packets("perf_read").toArray(CapturedPacket[]::new);
    ByteBuffer direct = ByteBuffer.allocateDirect(1 << 17);
    int[] starts = new int[packets.length + 1];
    for (int i = 0; i < packets.length; i++) {
      byte[] bytes = Captures.bytes(packets[i]);
      direct.put(starts[i], bytes);
      starts[i + 1] = starts[i] + bytes.length;
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int good = 0;
    long before = 0;
    for (int round = 0; round < 20; round++) {
      if (round == 10) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      for (int i = 0; i < packets.length; i++) {
        int bytes = starts[i + 1] - starts[i];
        view.wrap(direct, starts[i], bytes, bytes, LinkType.ETHERNET);
        Bth.PSN.put(direct, view.at(Bth.HEADER), Bth.PSN.get(direct, view.at(Bth.HEADER)));
        view.seal();
        good += view.isIcrcGood() ? 1 : 0;
      }
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(good).isEqualTo(20 * packets.length);
    // The counter's own call allocates a little the first time.
    assertThat(allocated).isLessThan(10L * packets.length);
  }
}
