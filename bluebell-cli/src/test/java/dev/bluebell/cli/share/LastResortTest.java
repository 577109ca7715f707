package dev.bluebell.cli.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When an essential thread of a device process fails, the process ends rather than hang. */
class LastResortTest {
  @TempDir private Path folder;

  /** The parts of a device process that its end involves. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path socket = Path.of(arguments[0]);
    Files.writeString(socket, "");
    SocketLock lock = Objects.requireNonNull(SocketLock.tryToTake(RuntimeFolder.lock(socket)));
    LastResort lastResort =
        new LastResort(socket, lock, new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    if (arguments.length > 1 && arguments[1].equals("late")) {
      lastResort.await(
          CompletableFuture.failedFuture(new IOException()), 1, TimeUnit.NANOSECONDS, "failed");
      lastResort.await(
          CompletableFuture.completedFuture("done"), 1, TimeUnit.NANOSECONDS, "succeeded");
      lastResort.await(new CompletableFuture<>(), 1, TimeUnit.MILLISECONDS, "too late");
      new CountDownLatch(1).await();
    }
    Thread.setDefaultUncaughtExceptionHandler(lastResort);
    Thread doomed =
        Thread.ofPlatform()
            .daemon()
            .name("doomed")
            .start(
                () -> {
                  throw arguments.length > 1 ? new Full() : new OutOfMemoryError("for the test");
                });
    assertThat(doomed).isNotNull();
    new CountDownLatch(1).await();
  }

  /** An error whose description fails for lack of memory. */
  private static final class Full extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      throw new OutOfMemoryError("for the test");
    }
  }

  @Test
  void theDeviceProcessEndsWithAMessageAndLeavesNothing() throws IOException, InterruptedException {
    expectEnd(
        "bluebell: the device process ends, because its thread doomed failed:"
            + " java.lang.OutOfMemoryError: for the test");
  }

  @Test
  void theDeviceProcessEndsAlsoWithoutMemoryForItsMessage()
      throws IOException, InterruptedException {
    expectEnd("bluebell: the device process ends, because its heap is full", "full");
  }

  @Test
  void theDeviceProcessEndsIfSomethingDoesNotHappenInTime()
      throws IOException, InterruptedException {
    expectEnd("bluebell: too late", "late");
  }

  private void expectEnd(String message, String... more) throws IOException, InterruptedException {
    Path socket = folder.resolve("device.sock");
    Path output = folder.resolve("output.txt");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LastResortTest.class.getName(),
                socket.toString()));
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the process ends within 30 s").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(output).hasContent(message);
    assertThat(socket).doesNotExist();
    assertThat(RuntimeFolder.lock(socket)).doesNotExist();
  }
}
