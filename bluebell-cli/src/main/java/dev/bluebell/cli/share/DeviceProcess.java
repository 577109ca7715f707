package dev.bluebell.cli.share;

import dev.bluebell.cli.WorkFailed;
import dev.bluebell.server.LocalSocket;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Starts a device process when there is none. */
final class DeviceProcess {
  private static final long START_MILLIS = 30_000;
  private static final long LOOK_MILLIS = 20;
  private static final int IDLE_EXIT_SECONDS = 30;

  private DeviceProcess() {}

  /**
   * Makes sure that a device process listens at a socket.
   *
   * @param device the device of a process that has to be started
   */
  static void ensure(Path socket, String device) throws IOException, InterruptedException {
    if (listens(socket)) {
      return;
    }
    Path log = socket.resolveSibling(Objects.requireNonNull(socket.getFileName()) + ".log");
    Process process = start(socket, device, log);
    for (long waited = 0; waited < START_MILLIS; waited += LOOK_MILLIS) {
      if (listens(socket)) {
        return;
      }
      if (!process.isAlive() && process.exitValue() != 0) {
        break;
      }
      if (!process.isAlive()) {
        // It met another that was quicker, which may be starting, or ending.
        process = start(socket, device, log);
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw new WorkFailed("the device process did not start; %s says why".formatted(log));
  }

  /** True when a device process listens at a socket. */
  static boolean listens(Path socket) {
    if (!Files.exists(socket)) {
      return false;
    }
    try (LocalSocket connection = LocalSocket.connect(socket)) {
      return connection.peer().pid() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Process start(Path socket, String device, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(
            argument -> !argument.startsWith("-agentlib:") && !argument.startsWith("-javaagent:"))
        .filter(argument -> !argument.startsWith("-D"))
        .forEach(command::add);
    String modulePath = System.getProperty("jdk.module.path");
    if (modulePath == null) {
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add("dev.bluebell.cli.Main");
    } else {
      command.addAll(
          List.of("--module-path", modulePath, "-m", "dev.bluebell.cli/dev.bluebell.cli.Main"));
    }
    command.addAll(List.of("serve", "--detached", "--socket", socket.toString()));
    command.addAll(List.of("--device", device, "--idle-exit", "" + IDLE_EXIT_SECONDS));
    return new ProcessBuilder(command)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(log.toFile())
        .redirectErrorStream(true)
        .start();
  }
}
