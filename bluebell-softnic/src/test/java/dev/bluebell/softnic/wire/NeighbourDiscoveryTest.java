package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.wire.Resolution.Kind;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The frames of neighbour discovery between a host at fd00::1 and one at fd00::2. */
class NeighbourDiscoveryTest {
  private static final int FRAME = 14 + 40 + 32;

  private final NeighbourDiscovery own = host(0x02be_1101_0203L, "fd00::1");
  private final NeighbourDiscovery peer = host(0x5254_0000_0002L, "fd00::2");
  private final ByteBuffer frame = ByteBuffer.allocate(128);

  private static NeighbourDiscovery host(long mac, String address) {
    return new NeighbourDiscovery(mac, gid(address));
  }

  private static Gid gid(String address) {
    return Gid.of(InetAddress.ofLiteral(address).getAddress());
  }

  private int question() {
    Gid wanted = gid("fd00::2");
    return own.question(frame, wanted.high(), wanted.low());
  }

  @Test
  void aQuestionGoesToTheGroupOfTheAddress() {
    assertThat(HexFormat.of().formatHex(frame.array(), 0, question()))
        .isEqualTo(
            "3333ff000002"
                + "02be11010203"
                + "86dd"
                + "60000000"
                + "0020"
                + "3a"
                + "ff"
                + "fd000000000000000000000000000001"
                + "ff0200000000000000000001ff000002"
                // The checksum as Python computes it.
                + "8700"
                + "69d6"
                + "00000000"
                + "fd000000000000000000000000000002"
                + "0101"
                + "02be11010203");
  }

  @Test
  void theHostThatIsAskedAnswersWithItsEthernetAddress() {
    assertThat(peer.read(frame, 0, question())).isEqualTo(Kind.QUESTION);
    assertThat(peer.senderMac()).isEqualTo(0x02be_1101_0203L);
    int bytes = peer.answer(frame);
    assertThat(bytes).isEqualTo(FRAME);
    assertThat(own.read(frame, 0, bytes)).isEqualTo(Kind.STATEMENT);
    assertThat(new Gid(own.senderHigh(), own.senderLow())).isEqualTo(gid("fd00::2"));
    assertThat(own.senderMac()).isEqualTo(0x5254_0000_0002L);
    assertThat(HexFormat.of().formatHex(frame.array(), 0, 12))
        .isEqualTo("02be11010203525400000002");
  }

  @Test
  void hostsThatAreNotAskedStaySilent() {
    assertThat(host(0x02be_1100_0009L, "fd00::3").read(frame, 0, question())).isEqualTo(Kind.OTHER);
  }

  @Test
  void aHostWithoutAnAddressIsAnsweredThroughAllHosts() {
    Gid wanted = gid("fd00::2");
    NeighbourDiscovery nobody = host(0x02be_1100_0009L, "::");
    int bytes = nobody.question(frame, wanted.high(), wanted.low());
    assertThat(peer.read(frame, 0, bytes)).isEqualTo(Kind.QUESTION);
    peer.answer(frame);
    assertThat(HexFormat.of().formatHex(frame.array(), 0, 6)).isEqualTo("333300000001");
    assertThat(HexFormat.of().formatHex(frame.array(), 38, 54))
        .isEqualTo("ff020000000000000000000000000001");
  }

  @ParameterizedTest
  @CsvSource({
    // offset in the frame, new value, resulting kind of frame
    "21, fe, MALFORMED", // hop limit
    "55, 01, MALFORMED", // code
    "56, 00, MALFORMED", // checksum
    "70, 01, MALFORMED", // target, which the checksum covers
    "19, 21, MALFORMED", // more than there is
    "19, 10, MALFORMED", // less than a target
    "54, 80, OTHER", // echo request
    "20, 11, OTHER", // UDP
    "12, 08, OTHER", // IPv4
  })
  void aChangedFrameIsNoQuestion(int at, String value, Kind kind) {
    int bytes = question();
    frame.put(at, HexFormat.of().parseHex(value)[0]);
    assertThat(peer.read(frame, 0, bytes)).isEqualTo(kind);
  }

  @Test
  void anOptionWithoutLengthIsMalformed() {
    int bytes = question();
    // The checksum stays right: one word gains what another one loses.
    frame.put(79, (byte) 0);
    frame.put(77, (byte) (frame.get(77) + 1));
    assertThat(peer.read(frame, 0, bytes)).isEqualTo(Kind.MALFORMED);
  }

  @Test
  void everyCutFrameIsHarmless() {
    int bytes = question();
    for (int cut = 14; cut < bytes; cut++) {
      assertThat(peer.read(frame.duplicate(), 0, cut)).isNotEqualTo(Kind.QUESTION);
    }
  }
}
