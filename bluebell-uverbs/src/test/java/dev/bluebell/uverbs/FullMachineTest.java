package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.uverbs.DevxClient.Made;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernel refuses more shared memory to the device process, although its quotas allow it: a
 * client of the uverbs device file gets an error, and continues.
 */
class FullMachineTest {
  /** The kernel's limit of file sizes, also for memory files: 20 MiB, more than a context has. */
  private static final int BLOCKS_OF_512_BYTES = 20 << 11;

  /** A CQ of 32 MiB, less one entry. */
  private static final int MANY = (1 << 19) - 1;

  private static final int FEW = 7;
  private static final int REG_MR = 9;
  private static final int REGION_BYTES = 32 << 20;

  @TempDir private Path folder;

  /** A device process and a client, in a process with low limits. */
  public static void main(String[] arguments) throws IOException {
    try (Host host = new Host(Path.of(arguments[0]));
        DevxClient client = DevxClient.openMapping(host, ShimChannel.MAP_MEMORY)) {
      Made uar = client.uar();
      System.out.println("large queue: " + client.verbsCq(uar, MANY, 0, -1));
      System.out.println("region: " + register(client.raw()));
      System.out.println("small queue: " + client.verbsCq(uar, FEW, 0, -1));
      System.out.println("mapped: " + client.raw().mapped().size());
    }
    System.out.println("end");
  }

  private static long register(RawClient client) throws IOException {
    MemorySegment memory = client.memory(REGION_BYTES);
    byte[] input =
        Fields.of(40)
            .u64(8, memory.address())
            .u64(16, memory.byteSize())
            .u64(24, memory.address())
            .u32(32, client.allocateDomain())
            .bytes();
    return client.write(REG_MR, input, client.memory(12));
  }

  @Test
  @Tag("slow")
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void aFullMachineRefusesQueuesAndTheClientContinues() throws IOException, InterruptedException {
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
          .containsExactly("large queue: -12", "region: 48", "small queue: 0", "mapped: 2", "end");
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
