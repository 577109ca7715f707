package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaUar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernel refuses more shared memory to the device process, although its quotas allow it: the
 * client gets an error, and the device continues.
 */
class FullMachineTest {
  /** The kernel's limit of file sizes, also for memory files: less than a block of UAR pages. */
  private static final int BLOCKS_OF_512_BYTES = 256;

  @TempDir private Path folder;

  /** A device process and a client, in a process with low limits. */
  public static void main(String[] arguments) throws IOException {
    try (Host host = new Host(Path.of(arguments[0]));
        SocketHca client = new SocketHca(host.socket());
        SocketHca other = new SocketHca(host.socket())) {
      tell("uar", () -> allocateUar(client));
      tell("memory", () -> client.allocate(1 << 20).byteSize());
      tell("small", () -> client.allocate(4096).byteSize());
      tell("other", () -> other.allocateProtectionDomain().number() > 0 ? 1 : 0);
    }
    System.out.println("end");
  }

  /** A request of a client. */
  private interface Request {
    long get();
  }

  private static long allocateUar(SocketHca client) {
    try (HcaUar page = client.allocateUar()) {
      return page.number();
    }
  }

  private static void tell(String what, Request request) {
    try {
      System.out.println(what + ": " + request.get());
    } catch (HcaException refused) {
      System.out.println(what + ": " + refused.getMessage());
    }
  }

  @Test
  @Tag("slow")
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void aFullMachineRefusesAllocationsAndTheDeviceContinues()
      throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -f %d; exec \"$@\"".formatted(BLOCKS_OF_512_BYTES),
                "sh",
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                FullMachineTest.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(told.lines())
          .satisfiesExactly(
              uar ->
                  assertThat(uar).startsWith("uar: ").contains("no UAR page: ", "File too large"),
              memory -> assertThat(memory).startsWith("memory: ").contains("File too large"),
              small -> assertThat(small).isEqualTo("small: 4096"),
              other -> assertThat(other).isEqualTo("other: 1"),
              end -> assertThat(end).isEqualTo("end"));
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
