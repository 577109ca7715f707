package dev.bluebell.cli.devx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.hca.Hca;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.Observers;
import dev.bluebell.softnic.SoftNicProvider;
import dev.bluebell.uverbs.DeviceTree;
import dev.bluebell.uverbs.Shim;
import dev.bluebell.uverbs.UverbsService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A machine with a card, as Java processes see it: Bluebell's kernel side over a software ConnectX.
 */
final class KernelSide implements AutoCloseable {
  private final Path folder;
  private final Hca nic;
  private final DeviceServer server;
  private final DeviceTree tree;

  /**
   * @param options of the software ConnectX, such as {@code mtu=1024}
   */
  KernelSide(Path folder, String... options) throws IOException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "cards are opened on x86-64 only");
    this.folder = folder;
    List<String> all = new ArrayList<>(List.of("soft:spin=5", "sleep=500"));
    all.addAll(List.of(options));
    nic = new SoftNicProvider().open(String.join(",", all)).orElseThrow();
    server =
        new DeviceServer(
            folder.resolve("device.sock"),
            new UverbsService(nic, new Observers(nic)),
            Quotas.of(nic));
    tree = DeviceTree.create(folder.resolve("sysfs"), nic);
  }

  /** Starts a main class of the tests, which sees the card as mlx5_0. */
  Client start(Class<?> main, String... arguments) throws IOException {
    return start(Map.of(), main, arguments);
  }

  Client start(Map<String, String> settings, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    return start(settings, command);
  }

  /**
   * Starts any application.
   *
   * @param settings environment variables; a preloaded library sees calls before the kernel side
   *     does
   */
  Client start(Map<String, String> settings, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.putAll(settings);
    environment.merge(
        "LD_PRELOAD",
        Shim.extract(folder).orElseThrow().toString(),
        (first, ours) -> first + ":" + ours);
    environment.put("BLUEBELL_SOCKET", folder.resolve("device.sock").toString());
    environment.put("SYSFS_PATH", tree.path().toString());
    return new Client(builder.start());
  }

  /** Ends the device while clients use it. */
  void end() throws IOException {
    server.close();
  }

  /** Waits until no process has the device open, and checks that no objects are left. */
  void expectNothingLeft() throws InterruptedException {
    server.awaitIdle(1);
    assertThat(nic.diagnosis().orElseThrow().objects()).isEmpty();
  }

  @Override
  public void close() throws IOException {
    server.close();
    tree.close();
    nic.close();
  }

  /** A Java process. */
  static final class Client implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 600;

    private final Process process;
    private final BufferedReader out;
    private final StringBuilder seen = new StringBuilder();

    private Client(Process process) {
      this.process = process;
      out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** Reads its output up to a line. */
    void await(String awaited) throws IOException {
      String line;
      do {
        line = out.readLine();
        assertThat(line).as(seen.toString()).isNotNull();
        seen.append(line).append('\n');
      } while (!line.equals(awaited));
    }

    /** Waits for its end, which must be without an error; returns its output. */
    String expectSuccess() throws IOException, InterruptedException {
      out.lines().forEach(line -> seen.append(line).append('\n'));
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(seen.toString()).isTrue();
      assertThat(process.exitValue()).as(seen.toString()).isZero();
      return seen.toString();
    }

    @Override
    public void close() {
      Process unused = process.destroyForcibly();
    }
  }
}
