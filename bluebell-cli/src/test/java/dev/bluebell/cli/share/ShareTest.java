package dev.bluebell.cli.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.cli.Main;
import dev.bluebell.uverbs.Shim;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code serve} and {@code run}; what programs do with the device, the tests of uverbs show. */
class ShareTest {
  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();

  private Path socket() {
    return folder.resolve("device.sock");
  }

  private int execute(String... words) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(new StringWriter()));
    command.setErr(new PrintWriter(err));
    return command.execute(words);
  }

  private int run(String... program) {
    List<String> words = new ArrayList<>(List.of("run", "--socket", socket().toString(), "--"));
    words.addAll(List.of(program));
    return execute(words.toArray(String[]::new));
  }

  @Test
  void programsFindTheDeviceAndTheirExitCodeIsTheCommands() throws InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    AtomicInteger served = new AtomicInteger(-1);
    Thread device =
        Thread.ofPlatform()
            .start(
                () ->
                    served.set(
                        execute("serve", "--socket", socket().toString(), "--idle-exit", "2")));
    while (!Files.exists(socket()) && device.isAlive()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(run("sh", "-c", "test -S $BLUEBELL_SOCKET && test -d $SYSFS_PATH/class")).isZero();
    assertThat(run("sh", "-c", "exit 7")).isEqualTo(7);
    assertThat(run("/no/such/program")).isEqualTo(1);
    assertThat(err.toString()).contains("/no/such/program", "can't be started");
    assertThat(execute("serve", "--socket", socket().toString())).isEqualTo(1);
    assertThat(err.toString()).contains("another device process");
    device.join();
    assertThat(served).hasValue(0);
    assertThat(socket()).doesNotExist();
  }

  @Test
  void anUnknownDeviceIsNamed() {
    assertThat(execute("serve", "--socket", socket().toString(), "--device", "mlx9_9"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("mlx9_9", "unknown");
  }

  @Test
  void aProgramIsNeeded() {
    assertThat(execute("run")).isEqualTo(2);
  }
}
