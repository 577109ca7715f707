package dev.bluebell.cli.perf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The command in its own process. */
public final class CliProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final StringBuilder seen = new StringBuilder();

  CliProcess(List<String> words) throws IOException {
    this(List.of(), words);
  }

  /**
   * @param options of the JVM
   */
  CliProcess(List<String> options, List<String> words) throws IOException {
    process = builder(options, words).redirectErrorStream(true).start();
    out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /** A process that was not started yet, for tests that choose its streams. */
  public static ProcessBuilder builder(List<String> words) {
    return builder(List.of(), words);
  }

  private static ProcessBuilder builder(List<String> options, List<String> words) {
    // The process that started the tests may have made them ignore SIGINT.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.bluebell.cli.Main");
    command.addAll(words);
    return new ProcessBuilder(command);
  }

  /** Reads its output up to a matching line. */
  void await(Predicate<String> which) throws IOException {
    String line;
    do {
      line = out.readLine();
      assertThat(line).as(seen.toString()).isNotNull();
      seen.append(line).append('\n');
    } while (!which.test(line));
  }

  /** Sends SIGINT, like Ctrl-C. */
  void interrupt() throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  void kill() {
    Process unused = process.destroyForcibly();
  }

  /** Waits for its end; returns the exit code. */
  int end() throws IOException, InterruptedException {
    out.lines().forEach(line -> seen.append(line).append('\n'));
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(seen.toString()).isTrue();
    return process.exitValue();
  }

  /** The output read so far. */
  String output() {
    return seen.toString();
  }

  @Override
  public void close() {
    kill();
  }
}
