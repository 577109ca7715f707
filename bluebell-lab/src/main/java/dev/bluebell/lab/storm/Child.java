package dev.bluebell.lab.storm;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child process that executes commands, one per line. For one thread. */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;

  private Child(Process process) {
    this.process = process;
    from = process.inputReader();
    to = process.outputWriter();
  }

  /** Starts a class of this class path as a process. */
  static Child start(Class<?> main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new Child(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line of its output. */
  String line() throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new IOException("process %d has ended".formatted(process.pid()));
    }
    return line;
  }

  void tell(String line) throws IOException {
    to.write(line + "\n");
    to.flush();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Lets it run for some time. True when it ended by itself. */
  boolean endsWithin(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** Kills it without a chance to clean up. */
  @Override
  public void close() {
    process.destroyForcibly();
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        int unused = process.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
