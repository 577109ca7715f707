package dev.bluebell.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.bluebell.roce.capture.CaptureInterface;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.capture.PcapWriter;
import dev.bluebell.roce.capture.TimeUnits;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.AtomicEth;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.Field;
import dev.bluebell.roce.packet.Header;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Reth;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wireshark reads the same fields, where tshark is installed; elsewhere this test is skipped. */
@Tag("slow")
class TsharkTest {
  private static final Path TSHARK = Path.of("/usr/bin/tshark");

  @TempDir private Path directory;

  @Test
  void tsharkReadsTheSameFieldsOfAllCaptures() throws IOException, InterruptedException {
    assumeThat(TSHARK).exists();
    List<CapturedPacket> packets = new ArrayList<>();
    Captures.all()
        .forEach(
            file ->
                packets.addAll(
                    Captures.packets(file.getFileName().toString().replace(".pcap", ""))));
    Path all = directory.resolve("all.pcap");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(all))) {
      PcapWriter writer =
          new PcapWriter(
              out, ByteOrder.BIG_ENDIAN, TimeUnits.NANOSECONDS, new CaptureInterface(1, 262_144));
      for (CapturedPacket packet : packets) {
        writer.write(packet);
      }
    }
    Path errors = directory.resolve("errors");
    Process tshark =
        new ProcessBuilder(
                TSHARK.toString(),
                "-r",
                all.toString(),
                // They take the payload of short SENDs for their own.
                "--disable-protocol",
                "rpcordma",
                "--disable-protocol",
                "infiniband.eoib",
                "-T",
                "fields",
                "-e",
                "infiniband.bth.opcode",
                "-e",
                "infiniband.bth.destqp",
                "-e",
                "infiniband.bth.psn",
                "-e",
                "infiniband.reth.va",
                "-e",
                "infiniband.aeth.syndrome",
                "-e",
                "infiniband.invariant.crc",
                "-e",
                "_ws.malformed")
            .redirectError(errors.toFile())
            .start();
    List<String> lines = tshark.inputReader().lines().toList();
    assertThat(tshark.waitFor()).as(Files.readString(errors)).isZero();
    assertThat(lines).hasSize(packets.size());
    PacketView view = new PacketView();
    for (int i = 0; i < packets.size(); i++) {
      Captures.wrap(view, packets.get(i));
      String[] columns = lines.get(i).split("\t", -1);
      assertThat(Integer.decode(columns[0])).isEqualTo(view.opcode());
      assertThat(Integer.decode(columns[1])).isEqualTo(view.destinationQpn());
      assertThat(Integer.decode(columns[2])).isEqualTo(view.psn());
      assertThat(columns[3]).isEqualTo(address(view));
      assertThat(columns[4].isEmpty() ? "" : String.valueOf(Integer.decode(columns[4])))
          .isEqualTo(number(view, Aeth.HEADER, Aeth.SYNDROME));
      assertThat(columns[5]).isEqualTo("0x%08x".formatted(view.icrc()));
      assertThat(columns[6]).as("packet %d", i + 1).isEmpty();
      assertThat(view.at(Bth.HEADER)).isPositive();
    }
  }

  /** It has one name for the addresses of both headers. */
  private static String address(PacketView view) {
    int reth = view.at(Reth.HEADER);
    int atomic = view.at(AtomicEth.HEADER);
    return reth >= 0
        ? Reth.VA.text(view.buffer(), reth)
        : atomic >= 0 ? AtomicEth.VA.text(view.buffer(), atomic) : "";
  }

  private static String number(PacketView view, Header header, Field field) {
    int at = view.at(header);
    return at < 0 ? "" : String.valueOf(field.getInt(view.buffer(), at));
  }
}
