package dev.bluebell.softnic.wire;

import dev.bluebell.roce.capture.CaptureReader;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Packets that Linux Soft-RoCE sent and received, captured there. */
final class SoftRoce {
  private static final Path FOLDER =
      Path.of(System.getProperty("basedir", ""), "../bluebell-roce/src/test/resources/pcaps");

  private SoftRoce() {}

  /**
   * A captured packet.
   *
   * @param source IPv4 address of its sender; 0 for IPv6
   * @param identification of IPv4
   * @param transport from BTH to ICRC
   */
  record Captured(int source, int identification, byte[] transport) {}

  static Stream<Path> files() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".pcap")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Captured> packets(String name) {
    return packets(FOLDER.resolve(name + ".pcap"), LinkType.ETHERNET);
  }

  /** The RoCE packets of a file. */
  static List<Captured> packets(Path file, LinkType link) {
    List<Captured> packets = new ArrayList<>();
    try {
      CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(Files.readAllBytes(file)));
      PacketView view = new PacketView();
      for (Optional<CapturedPacket> next = reader.next(); next.isPresent(); next = reader.next()) {
        ByteBuffer bytes = next.get().bytes();
        Problem problem = view.wrap(bytes, 0, bytes.limit(), bytes.limit(), link);
        if (problem == Problem.NONE && view.isIcrcGood()) {
          int bth = view.at(Bth.HEADER);
          byte[] transport = new byte[view.end() - bth];
          bytes.get(bth, transport);
          int ip = view.at(Ipv4.HEADER);
          packets.add(
              new Captured(
                  ip < 0 ? 0 : Ipv4.SRC.getInt(bytes, ip),
                  ip < 0 ? 0 : Ipv4.IDENTIFICATION.getInt(bytes, ip),
                  transport));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packets;
  }
}
