package dev.bluebell.softnic.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Hca;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.softnic.SoftNicProvider;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A device on a network uses the C library where its module may, and works without it. */
@ResourceLock(TwoDevices.ADDRESSES)
class LinkChoiceTest {
  private static final String PROGRAM =
      """
      import dev.bluebell.hca.*;
      import java.util.ServiceLoader;

      class Opened {
        static void main(String[] arguments) {
          HcaProvider provider = ServiceLoader.load(HcaProvider.class).findFirst().orElseThrow();
          try (Hca device = provider.open(arguments[0]).orElseThrow()) {
            device.diagnosis().orElseThrow().objects().forEach(IO::println);
          }
        }
      }
      """;

  @TempDir private Path folder;

  /** The output of a device that is opened in a JVM on the module path. */
  private String opened(String nativeAccess) throws Exception {
    Path source = folder.resolve("Opened.java");
    Files.writeString(source, PROGRAM);
    String modules =
        Stream.of(Hca.class, Bth.class, SoftNicProvider.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--module-path",
                modules,
                "--add-modules",
                "dev.bluebell.softnic",
                "--illegal-native-access=deny",
                "--enable-native-access=" + nativeAccess,
                source.toString(),
                "soft:listen=" + TwoDevices.address(4))
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }

  @Test
  @Tag("slow")
  void withNativeAccessTheDeviceSendsRunsOfPackets() throws Exception {
    assertThat(opened("dev.bluebell.hca,dev.bluebell.softnic")).contains("runs of 64: tx_packets");
  }

  @Test
  @Tag("slow")
  void withoutNativeAccessTheDeviceSendsOneDatagramAtATime() throws Exception {
    assertThat(opened("dev.bluebell.hca")).contains("runs of 1: tx_packets");
  }
}
