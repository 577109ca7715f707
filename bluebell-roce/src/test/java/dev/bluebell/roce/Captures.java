package dev.bluebell.roce;

import dev.bluebell.roce.capture.CaptureReader;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The captures of Soft-RoCE among the test resources. */
public final class Captures {
  public static final Path FOLDER = Path.of("src/test/resources/pcaps");

  private Captures() {}

  public static Stream<Path> all() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".pcap")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<CapturedPacket> packets(String name) {
    try {
      return packets(Files.readAllBytes(FOLDER.resolve(name + ".pcap")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<CapturedPacket> packets(byte[] file) throws IOException {
    CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(file));
    List<CapturedPacket> packets = new ArrayList<>();
    for (Optional<CapturedPacket> next = reader.next(); next.isPresent(); next = reader.next()) {
      packets.add(next.get());
    }
    return packets;
  }

  public static Problem wrap(PacketView view, CapturedPacket packet) {
    return view.wrap(
        packet.bytes(), 0, packet.bytes().limit(), packet.wireBytes(), LinkType.ETHERNET);
  }

  public static byte[] bytes(CapturedPacket packet) {
    byte[] bytes = new byte[packet.bytes().limit()];
    packet.bytes().get(0, bytes);
    return bytes;
  }
}
