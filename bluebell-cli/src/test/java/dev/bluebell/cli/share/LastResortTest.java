package dev.bluebell.cli.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device process of which a thread fails that serves all is no process that does nothing. */
class LastResortTest {
  @TempDir private Path folder;

  /** A device process as far as its end is concerned. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path socket = Path.of(arguments[0]);
    Files.writeString(socket, "");
    SocketLock lock = Objects.requireNonNull(SocketLock.tryToTake(RuntimeFolder.lock(socket)));
    Thread.setDefaultUncaughtExceptionHandler(
        new LastResort(socket, lock, new PrintWriter(System.err, true, StandardCharsets.UTF_8)));
    Thread doomed =
        Thread.ofPlatform()
            .daemon()
            .name("doomed")
            .start(
                () -> {
                  throw new OutOfMemoryError("for the test");
                });
    assertThat(doomed).isNotNull();
    new CountDownLatch(1).await();
  }

  @Test
  void itEndsWithAMessageAndLeavesNothing() throws IOException, InterruptedException {
    Path socket = folder.resolve("device.sock");
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LastResortTest.class.getName(),
                socket.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(output)
        .hasContent(
            "bluebell: the device process ends, as its thread doomed failed:"
                + " java.lang.OutOfMemoryError: for the test");
    assertThat(socket).doesNotExist();
    assertThat(RuntimeFolder.lock(socket)).doesNotExist();
  }
}
