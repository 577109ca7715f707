package dev.bluebell.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.Captures;
import dev.bluebell.roce.capture.CapturedPacket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The codec reads exactly the contents of Soft-RoCE's packets. */
class CapturedPacketsTest {
  private final PacketView view = new PacketView();

  static List<String> captures() {
    return Captures.all().map(file -> file.getFileName().toString().replace(".pcap", "")).toList();
  }

  @ParameterizedTest
  @MethodSource("captures")
  void everyPacketIsWrittenAgainFromItsText(String capture) {
    for (CapturedPacket packet : Captures.packets(capture)) {
      assertThat(Captures.wrap(view, packet)).isEqualTo(Problem.NONE);
      String text = Packet.of(view).text();
      assertThat(Packet.parse(text).bytes()).as(text).isEqualTo(Captures.bytes(packet));
    }
  }

  @Test
  void allPacketsHaveAGoodIcrcButTheTwoThatAreWrongOnPurpose() {
    int packets = 0;
    List<String> wrong = new ArrayList<>();
    for (String capture : captures()) {
      List<CapturedPacket> all = Captures.packets(capture);
      for (int i = 0; i < all.size(); i++) {
        packets++;
        Captures.wrap(view, all.get(i));
        assertThat(view.hasIcrc()).isTrue();
        if (!view.isIcrcGood()) {
          wrong.add(capture + " " + (i + 1));
        }
      }
    }
    System.out.printf("%d captured packets, wrong ICRC: %s%n", packets, wrong);
    assertThat(packets).isEqualTo(1868);
    assertThat(wrong).hasSize(2);
    assertThat(wrong.get(0)).startsWith("python_peer_v4");
    assertThat(wrong.get(1)).startsWith("python_peer_v6");
  }

  @Test
  void sealingAPacketWritesTheChecksumAndTheIcrcThatItHad() {
    for (String capture : captures()) {
      for (CapturedPacket packet : Captures.packets(capture)) {
        Captures.wrap(view, packet);
        if (!view.isIcrcGood()) {
          continue;
        }
        ByteBuffer copy = ByteBuffer.wrap(Captures.bytes(packet));
        copy.putInt(view.icrcAt(), 0);
        int ipv4 = view.at(Ipv4.HEADER);
        if (ipv4 >= 0) {
          Ipv4.CHECKSUM.put(copy, ipv4, 0);
        }
        view.wrap(copy, 0, copy.limit(), copy.limit(), LinkType.ETHERNET);
        view.seal();
        assertThat(copy.array()).isEqualTo(Captures.bytes(packet));
      }
    }
  }

  @Test
  void goldenPacketsHaveTheServiceTheSyndromeAndThePaddingThatTheirListSays() throws IOException {
    int packets = 0;
    for (String line : Files.readAllLines(Path.of("src/test/resources/pcaps/golden_packets.tsv"))) {
      if (line.startsWith("#")) {
        continue;
      }
      packets++;
      String[] columns = line.split("\t");
      byte[] frame = HexFormat.of().parseHex(columns[8]);
      assertThat(
              view.wrap(ByteBuffer.wrap(frame), 0, frame.length, frame.length, LinkType.ETHERNET))
          .isEqualTo(Problem.NONE);
      assertThat(view.at(columns[0].equals("4") ? Ipv4.HEADER : Ipv6.HEADER)).isPositive();
      assertThat(BthOpcode.serviceName(view.opcode())).isEqualTo(columns[1]);
      assertThat("pad" + view.padBytes()).isEqualTo(columns[4]);
      int aeth = view.at(Aeth.HEADER);
      if (!columns[3].isEmpty()) {
        int syndrome = Aeth.SYNDROME.getInt(view.buffer(), aeth);
        assertThat(syndrome(syndrome)).isEqualTo(columns[3]);
      }
      assertThat(view.isIcrcGood()).as(line).isTrue();
    }
    assertThat(packets).isEqualTo(57);
  }

  private static String syndrome(int syndrome) {
    if (Aeth.isAck(syndrome)) {
      return "ACK";
    }
    return Aeth.isRnrNak(syndrome)
        ? "RNR_" + Aeth.rnrTimer(syndrome)
        : "NAK_" + (syndrome - Aeth.PSN_SEQUENCE_NAK);
  }
}
