package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A client in a process of its own, which sends bytes to a device process and reads nothing. */
final class OtherClient implements AutoCloseable {
  private final Process process;

  private OtherClient(Process process) {
    this.process = process;
  }

  /** Starts a client; returns when it has sent a byte {@code times} times, each in a message. */
  static OtherClient sending(Path socket, byte word, int times) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OtherClient.class.getName(),
                socket.toString(),
                Byte.toString(word),
                Integer.toString(times))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("sent");
    return new OtherClient(process);
  }

  /** Keeps its connection open beyond its end. */
  InheritedSocket inherit() throws IOException {
    return InheritedSocket.of((int) process.pid());
  }

  /** Stops it as a debugger does: it neither continues nor ends. */
  void stop() throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-STOP", "" + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Kills it; its pid may then be reused. */
  void end() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  @Override
  public void close() throws InterruptedException {
    end();
  }

  /** The client. */
  public static void main(String[] arguments) throws IOException {
    LocalSocket unusedSocket = LocalSocket.connect(Path.of(arguments[0]));
    byte word = Byte.parseByte(arguments[1]);
    // LocalSocket.send waits until three quarters of a full socket are free, which may never happen
    // here: the device process stops reading when its answers have filled this client's socket.
    try (InheritedSocket socket = InheritedSocket.of((int) ProcessHandle.current().pid())) {
      for (int left = Integer.parseInt(arguments[2]); left > 0; left--) {
        while (!socket.send(word)) {
          Thread.onSpinWait();
        }
      }
    }
    System.out.println("sent");
    int unused = System.in.read();
  }
}
