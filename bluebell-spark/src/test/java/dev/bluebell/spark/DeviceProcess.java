package dev.bluebell.spark;

import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.RemoteService;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A device process that tests can kill. */
final class DeviceProcess implements AutoCloseable {
  private final Process process;
  private final Path socket;

  /** Starts one whose socket is in a folder, and waits until it listens. */
  DeviceProcess(Path folder) throws IOException {
    this(folder, "engine=thread");
  }

  /** The same with options of the software device. */
  DeviceProcess(Path folder, String options) throws IOException {
    socket = folder.resolve("device.sock");
    process =
        new ProcessBuilder(
                LocalCluster.java(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DeviceProcess.class.getName(),
                socket.toString(),
                options)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.getInputStream().read() < 0) {
      throw new IOException("the device process did not start");
    }
  }

  /** What executors open. */
  String device() {
    return "socket:" + socket;
  }

  /** Its process ID. */
  long pid() {
    return process.pid();
  }

  /** CPU time that it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Kills it, as SIGKILL does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** The process itself. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    SoftNic nic =
        SoftNic.open(
            SoftNicOptions.parse(arguments[1])
                .withSpinNanos(Duration.ofNanos(5_000).toNanos())
                .withMaxSleepNanos(Duration.ofMillis(1).toNanos() / 2));
    try (nic;
        DeviceServer server =
            new DeviceServer(
                Path.of(arguments[0]), new RemoteService(nic, others -> {}), Quotas.of(nic))) {
      System.out.println("listening");
      // It ends with the test.
      while (System.in.read() >= 0) {
        // Nobody writes.
      }
    }
  }
}
