package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import dev.bluebell.cli.Main;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.RemoteService;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** A device that several programs open, and measurement servers on it. */
public final class Peers implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("waits for a client at port (\\d+)");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final SoftNic nic = SoftNic.open(SoftNicOptions.parse("spin=5,sleep=500"));
  private final Path socket;
  private final DeviceServer server;

  public Peers(Path folder) throws IOException {
    this(folder, "device.sock");
  }

  public Peers(Path folder, String name) throws IOException {
    socket = folder.resolve(name);
    server = new DeviceServer(socket, new RemoteService(nic, others -> {}), Quotas.of(nic));
  }

  /** The name by which programs open the device. */
  public String device() {
    return "socket:" + socket;
  }

  /** A server that is waiting for its client. */
  record Waiting(int port, CompletableFuture<Cli> ended) {
    Cli end() throws Exception {
      return ended.get(60, TimeUnit.SECONDS);
    }
  }

  /** Starts a server in this process. */
  Waiting serve(String... words) {
    return serveOn(device(), words);
  }

  /** Starts a server on another device. */
  static Waiting serveOn(String device, String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(arguments(device, words));
    all.addAll(List.of("--server", "--port", "0"));
    CompletableFuture<Cli> ended = new CompletableFuture<>();
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  int code = command.execute(all.toArray(String[]::new));
                  ended.complete(new Cli(code, out.toString(), err.toString()));
                });
    long start = System.nanoTime();
    Matcher told = PORT.matcher(err.toString());
    while (!told.find()) {
      assertThat(ended.isDone() || System.nanoTime() - start > PATIENCE_NANOS)
          .as(err.toString())
          .isFalse();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      told = PORT.matcher(err.toString());
    }
    return new Waiting(Integer.parseInt(told.group(1)), ended);
  }

  Cli client(int port, String... words) {
    return clientOn(device(), port, words);
  }

  static Cli clientOn(String device, int port, String... words) {
    return Cli.run(clientArguments(device, port, words).toArray(String[]::new));
  }

  List<String> clientArguments(int port, String... words) {
    return clientArguments(device(), port, words);
  }

  private static List<String> clientArguments(String device, int port, String... words) {
    List<String> all = new ArrayList<>(arguments(device, words));
    all.addAll(List.of("--client", "localhost:" + port));
    return all;
  }

  private static List<String> arguments(String device, String... words) {
    List<String> all = new ArrayList<>(List.of("perf"));
    all.addAll(Arrays.asList(words));
    all.addAll(List.of("--device", device, "--warm-up", "0"));
    return all;
  }

  @Override
  public void close() throws IOException {
    server.close();
    nic.close();
  }
}
