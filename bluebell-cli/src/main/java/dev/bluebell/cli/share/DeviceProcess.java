package dev.bluebell.cli.share;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.OwnFile;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.ExitCode;

/** Starts a device process if none listens at its socket. */
final class DeviceProcess {
  /** In this time, a device process begins to listen, or says that it could not, and ends. */
  private static final long START_MILLIS =
      TimeUnit.SECONDS.toMillis(ServeCommand.LISTEN_SECONDS + 10);

  private static final long LOOK_MILLIS = 20;
  private static final int IDLE_EXIT_SECONDS = 30;

  /** Names libraries that the loader adds to a program; the user's are for the application. */
  static final String PRELOAD = "LD_PRELOAD";

  /** Prefix of this command's own messages in the log. */
  private static final String VOICE = "bluebell: ";

  private DeviceProcess() {}

  /**
   * Makes sure that a device process listens at a socket.
   *
   * @param device the device that a new process serves
   * @throws IllegalArgumentException when there is no such device
   */
  static void ensure(Path socket, String device) throws IOException, InterruptedException {
    if (listens(socket)) {
      return;
    }
    ServeCommand.requireUsable(socket);
    Path log = RuntimeFolder.log(socket);
    Process process = start(socket, device, log);
    for (long waited = 0; waited < START_MILLIS; waited += LOOK_MILLIS) {
      if (listens(socket)) {
        return;
      }
      if (!process.isAlive() && process.exitValue() != 0) {
        break;
      }
      if (!process.isAlive()) {
        // Another process was faster and may be starting, or it is just ending.
        process = start(socket, device, log);
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw failure(process, log);
  }

  /** The reason why a process did not start, from its own message if there is one. */
  private static RuntimeException failure(Process process, Path log) throws IOException {
    Optional<String> said;
    try (Stream<String> lines = Files.lines(log)) {
      said = lines.filter(line -> line.startsWith(VOICE)).findFirst();
    }
    if (said.isEmpty()) {
      return new WorkFailed("the device process did not start; %s says why".formatted(log));
    }
    Files.delete(log);
    String sentence = said.get().substring(VOICE.length());
    return !process.isAlive() && process.exitValue() == ExitCode.USAGE
        ? new IllegalArgumentException(sentence)
        : new WorkFailed("the device process did not start: " + sentence);
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

  /** The command line of a device process, with the Java and the modules of this process. */
  static List<String> command(Path socket, String device) {
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
    return command;
  }

  private static Process start(Path socket, String device, Path log) throws IOException {
    List<String> command = command(socket, device);
    try (OwnFile file = OwnFile.open(log)) {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(file.opened().toFile())
              .redirectErrorStream(true);
      builder.environment().remove(PRELOAD);
      return builder.start();
    } catch (IOException e) {
      throw new WorkFailed("the device process can't be started: " + e.getMessage());
    }
  }
}
