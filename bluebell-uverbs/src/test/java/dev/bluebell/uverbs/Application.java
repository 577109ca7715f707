package dev.bluebell.uverbs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** An unmodified application that runs on a {@link Host}. */
final class Application {
  /** The interpreter that Debian's pyverbs is for. */
  static final String PYTHON = "/usr/bin/python3";

  private static final int FIRST_PORT = 10_000;

  /** From here on, Linux gives ports to those who ask for none. */
  private static final int FIRST_EPHEMERAL_PORT = 32_768;

  /** More than an application takes where several others want each processor. */
  private static final int TIMEOUT_SECONDS = 180;

  private final Host host;
  private final Process process;
  private final Path output;
  private final String name;

  private Application(Host host, Process process, Path output, String name) {
    this.host = host;
    this.process = process;
    this.output = output;
    this.name = name;
  }

  /** Skips the test, with a sentence that says why, unless the application can run. */
  static void require(String application, String debianPackage) throws IOException {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder).resolve(application))),
        application + " is not installed (Debian and Ubuntu: apt install " + debianPackage + ")");
    assumeTrue(
        Application.class.getResource("libbluebell.so") != null,
        "gcc was missing when this was built");
  }

  /** Skips the test, with a sentence that says why, unless scripts can run. */
  static void requirePython() throws IOException, InterruptedException {
    require("python3", "python3");
    assumeTrue(
        new ProcessBuilder(PYTHON, "-c", "import pyverbs")
                .redirectErrorStream(true)
                .start()
                .waitFor()
            == 0,
        "pyverbs is not installed (Debian and Ubuntu: apt install python3-pyverbs)");
  }

  /**
   * Compiles an application of these tests, unless a build before did so from the same sources;
   * skips the test where that can't be done.
   *
   * @param options of the compiler, beside those of all
   * @return the path of the application
   */
  static String compile(String source, String... options) throws IOException, InterruptedException {
    require("gcc", "gcc");
    Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    Path sources = module.resolve("src/test/c");
    List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-Wall", "-Werror"));
    command.add(sources.resolve(source).toString());
    command.addAll(List.of(options));
    Path folder = Files.createDirectories(module.resolve("target/c"));
    Path application =
        folder.resolve("%s-%08x".formatted(source.replace(".c", ""), hash(sources, command)));
    if (!Files.exists(application)) {
      Path fresh = Files.createTempFile(folder, "fresh", "");
      command.addAll(List.of("-o", fresh.toString()));
      assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
      Files.move(fresh, application, StandardCopyOption.ATOMIC_MOVE);
    }
    return application.toString();
  }

  /** Of all sources, because they include each other, and of what is done with them. */
  private static long hash(Path sources, List<String> command) throws IOException {
    CRC32 hash = new CRC32();
    hash.update(command.toString().getBytes(UTF_8));
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.sorted().toList()) {
        hash.update(Files.readAllBytes(file));
      }
    }
    return hash.getValue();
  }

  static Application start(Host host, Path folder, List<String> command) throws IOException {
    Optional<Path> shim = Shim.extract(folder);
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("BLUEBELL_SOCKET", host.socket().toString());
    builder.environment().put("SYSFS_PATH", host.tree().toString());
    builder.environment().put("LD_PRELOAD", shim.orElseThrow().toString());
    return new Application(host, builder.start(), output, String.join(" ", command));
  }

  /** Starts both ends of an application that talks to itself over TCP first. */
  static List<Application> startPair(Host host, Path folder, String command) throws IOException {
    int port = freePort();
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("-p", Integer.toString(port)));
    Application server = start(host, folder, words);
    server.awaitListening(port);
    List<String> client = new ArrayList<>(words);
    client.add("localhost");
    return List.of(server, start(host, folder, client));
  }

  /** A port that nobody uses, nor gets for a connection before the application listens there. */
  private static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, FIRST_EPHEMERAL_PORT);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // Another one will do.
      }
    }
  }

  private void awaitListening(int port) throws IOException {
    String listening = ":%04X 0".formatted(port);
    long deadline = deadline();
    while (process.isAlive()) {
      for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
        for (String line : Files.readAllLines(Path.of(table))) {
          if (line.contains(listening) && line.contains(" 0A ")) {
            return;
          }
        }
      }
      requireTime(deadline, "listen");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static long deadline() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
  }

  private void requireTime(long deadline, String what) throws IOException {
    if (System.nanoTime() - deadline > 0) {
      throw late(what);
    }
  }

  /**
   * Ends the application, which did not do something in time; the failure says what it and the
   * device did.
   */
  private AssertionError late(String what) throws IOException {
    String device = host.describe();
    kill();
    return new AssertionError(
        "%s did not %s within %d s; it printed:%n%s%nThe device:%n  %s"
            .formatted(name, what, TIMEOUT_SECONDS, output(), device));
  }

  /** Waits until the application has printed a line. */
  void awaitOutput(String line) throws IOException {
    awaitOutput(line, line::equals);
  }

  /** Waits until the application has printed a line with a text. */
  void awaitOutputOf(String text) throws IOException {
    awaitOutput(text, line -> line.contains(text));
  }

  private void awaitOutput(String text, Predicate<String> line) throws IOException {
    long deadline = deadline();
    while (output().lines().noneMatch(line)) {
      assertThat(process.isAlive())
          .as("%s prints %s; it printed:%n%s", name, text, output())
          .isTrue();
      requireTime(deadline, "print " + text);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  void kill() {
    process.destroyForcibly();
  }

  /**
   * Waits until it listens with the connection manager. The device is asked, as a bind that tries
   * the port would take it from the application.
   */
  void awaitListener(int port) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (host.listeners().stream().noneMatch(place -> place.contains(" port " + port + " "))) {
      assertThat(process.isAlive()).as("the server, which printed: %s", output()).isTrue();
      assertThat(System.nanoTime()).as("the server listens within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  long pid() {
    return process.pid();
  }

  /** Waits for the application's end, however it ends; its exit code. */
  int awaitEnd() throws IOException, InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw late("end");
    }
    return process.exitValue();
  }

  void expectSuccess() throws IOException, InterruptedException {
    int code = awaitEnd();
    assertThat(code).as("exit code of %s, which printed:%n%s", name, output()).isZero();
  }

  String output() throws IOException {
    return Files.readString(output);
  }
}
