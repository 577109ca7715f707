package dev.bluebell.roce.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.roce.Captures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Written files are read back unchanged, and files of tcpdump are reproduced exactly. */
class CaptureFilesTest {
  private static final CaptureInterface ETHERNET = new CaptureInterface(1, 262_144);

  private static byte[] pcap(ByteOrder order, TimeUnits units, List<CapturedPacket> packets)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PcapWriter writer = new PcapWriter(out, order, units, ETHERNET);
    for (CapturedPacket packet : packets) {
      writer.write(packet);
    }
    return out.toByteArray();
  }

  static byte[] pcapng(ByteOrder order, TimeUnits units, List<CapturedPacket> packets)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PcapngWriter writer = new PcapngWriter(out, order, units);
    writer.describe(ETHERNET);
    for (CapturedPacket packet : packets) {
      writer.write(packet);
    }
    return out.toByteArray();
  }

  @Test
  void everyCaptureIsWrittenAgainByteForByte() throws IOException {
    for (Path file : Captures.all().toList()) {
      byte[] bytes = Files.readAllBytes(file);
      CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(bytes));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      PcapWriter writer =
          new PcapWriter(
              out, ByteOrder.LITTLE_ENDIAN, TimeUnits.MICROSECONDS, reader.interfaces().getFirst());
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        writer.write(next.get());
      }
      assertThat(out.toByteArray()).as(file.toString()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "BIG_ENDIAN, MICROSECONDS", "BIG_ENDIAN, NANOSECONDS",
    "LITTLE_ENDIAN, MICROSECONDS", "LITTLE_ENDIAN, NANOSECONDS"
  })
  void bothFormatsAreReadInBothOrdersAndUnits(String order, TimeUnits units) throws IOException {
    ByteOrder byteOrder =
        order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    long finer = units == TimeUnits.NANOSECONDS ? 7 : 0;
    List<CapturedPacket> packets = new ArrayList<>();
    for (CapturedPacket packet : Captures.packets("rping")) {
      packets.add(
          new CapturedPacket(
              0, packet.nanoseconds() + finer, packet.bytes(), packet.wireBytes() + 3, List.of()));
    }
    assertThat(Captures.packets(pcap(byteOrder, units, packets))).isEqualTo(packets);
    List<CapturedPacket> commented =
        packets.stream().map(packet -> packet.withComments(List.of("ä", "two"))).toList();
    assertThat(Captures.packets(pcapng(byteOrder, units, commented))).isEqualTo(commented);
  }

  @Test
  void simplePacketsAndUnknownBlocksAndFurtherSectionsAreRead() throws IOException {
    byte[] file = pcapng(ByteOrder.BIG_ENDIAN, TimeUnits.NANOSECONDS, List.of());
    ByteBuffer more = ByteBuffer.allocate(20 + 16);
    more.putInt(3).putInt(20).putInt(2).putShort((short) 0xabcd).putShort((short) 0).putInt(20);
    more.putInt(0xbad).putInt(16).putInt(0).putInt(16);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(file);
    all.write(more.array());
    all.write(pcapng(ByteOrder.LITTLE_ENDIAN, TimeUnits.MICROSECONDS, Captures.packets("uc_send")));
    List<CapturedPacket> packets = Captures.packets(all.toByteArray());
    assertThat(packets).hasSize(7);
    assertThat(Captures.bytes(packets.getFirst())).isEqualTo(new byte[] {(byte) 0xab, (byte) 0xcd});
    assertThat(packets.getFirst().interfaceIndex()).isZero();
    assertThat(packets.getLast().interfaceIndex()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 1000000000", "3, 1000000", "6, 1000", "9, 1", "138, 976562.5"})
  void timesCountTheUnitsOfTheirInterface(int resolution, double nanosPerUnit) throws IOException {
    byte[] file =
        pcapng(
            ByteOrder.BIG_ENDIAN,
            TimeUnits.NANOSECONDS,
            List.of(new CapturedPacket(0, 4000, ByteBuffer.allocate(0), 0, List.of())));
    // 28 bytes of section header, then type, length, link type, snap length, code and length.
    file[28 + 20] = (byte) resolution;
    assertThat(Captures.packets(file).getFirst().nanoseconds())
        .isEqualTo((long) (4000 * nanosPerUnit));
  }

  @Test
  void aFileOfAnotherFormatIsRefused() {
    assertThatThrownBy(() -> Captures.packets(new byte[] {1, 2, 3, 4, 5}))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("neither a pcap nor a pcapng file");
  }

  /** As a signed number, each of these lengths is below that of the smallest block. */
  @ParameterizedTest
  @ValueSource(ints = {0x8000_0000, 0x8000_0004, 0x8000_0008})
  void aBlockOfTwoGigabytesIsRefused(int length) throws IOException {
    byte[] file = pcapng(ByteOrder.BIG_ENDIAN, TimeUnits.NANOSECONDS, List.of());
    byte[] block = ByteBuffer.allocate(8).putInt(0xbad).putInt(length).array();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(file);
    all.write(block);
    assertThatThrownBy(() -> Captures.packets(all.toByteArray()))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("blocks have 12 to 16777216, in multiples of 4");
  }

  @Test
  void aSectionHeaderOfTwoGigabytesIsRefused() throws IOException {
    byte[] file = pcapng(ByteOrder.BIG_ENDIAN, TimeUnits.NANOSECONDS, List.of());
    ByteBuffer.wrap(file).putInt(4, 0x8000_000c);
    assertThatThrownBy(() -> Captures.packets(file))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("a block has 2147483660 bytes");
  }
}
