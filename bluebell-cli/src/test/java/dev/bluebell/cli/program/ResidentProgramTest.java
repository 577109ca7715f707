package dev.bluebell.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.hca.HcaException;
import dev.bluebell.program.Data;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Client;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program on a device process answers while its installing process is stopped, and after it has
 * ended.
 */
@Tag("slow")
class ResidentProgramTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int CALLS = 7;
  private static final int REPEATS = 20;

  @TempDir private Path folder;

  private String device() {
    return "socket:" + folder.resolve("device.sock");
  }

  private Thread serve() {
    Thread device =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  Cli unused =
                      Cli.run(
                          "serve",
                          "--socket",
                          folder.resolve("device.sock").toString(),
                          "--idle-exit",
                          "1");
                });
    await(this::listens);
    return device;
  }

  // The socket file exists shortly before a process listens at it.
  private boolean listens() {
    try {
      Device.open(device()).close();
      return true;
    } catch (HcaException e) {
      return false;
    }
  }

  private static void await(BooleanSupplier happened) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!happened.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is left").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /** A prepared call: an installed program, and a client that calls it repeatedly. */
  private record Prepared(Client client, byte[] message, List<byte[]> answers) {

    void answersRight() {
      for (int call = 0; call < REPEATS; call++) {
        client.send(message);
        assertThat(client.await(answers.size(), PATIENCE))
            .usingRecursiveComparison()
            .isEqualTo(answers);
      }
    }
  }

  /** The process that installs programs, and calls of these programs. */
  private final class Server implements AutoCloseable {
    private final Process process;
    private final BufferedReader from;
    private final List<Prepared> calls = new ArrayList<>();

    Server(Offload offload, Device device) throws IOException {
      ProtectionDomain domain = device.allocateProtectionDomain();
      long seed = answered(offload);
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  InstallingServer.class.getName(),
                  device(),
                  offload.name(),
                  Long.toString(seed),
                  Integer.toString(CALLS))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      from = process.inputReader();
      Example example = offload.example(seed);
      Plan plan =
          Compiler.compile(example.program(), Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
      Writer to = process.outputWriter();
      for (int call = 0; call < CALLS; call++) {
        QueuePairEndpoint endpoint = QueuePairEndpoint.parse(line());
        Map<Data, Long> addresses = new HashMap<>();
        for (Data data : example.program().data()) {
          addresses.put(data, Long.parseLong(line()));
        }
        Client client = new Client(device, domain, plan);
        client.connect(endpoint);
        to.write(client.endpoint() + "\n");
        calls.add(
            new Prepared(
                client,
                plan.encode(example.inputs().apply(addresses)),
                example.answers().apply(addresses)));
      }
      to.flush();
      assertThat(line()).isEqualTo("handed over");
    }

    /** The first seed whose example has an answer. */
    private static long answered(Offload offload) {
      return LongStream.range(0, 100)
          .filter(seed -> !offload.example(seed).answers().apply(Map.of()).isEmpty())
          .findFirst()
          .orElseThrow();
    }

    private String line() throws IOException {
      String line = from.readLine();
      assertThat(line).as("a line of the server").isNotNull();
      return line;
    }

    Prepared next() {
      return calls.removeFirst();
    }

    void stop() throws IOException, InterruptedException {
      assertThat(new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor())
          .isZero();
      await(this::isStopped);
    }

    private boolean isStopped() {
      try {
        return Files.readString(Path.of("/proc/" + process.pid() + "/stat")).contains(") T ");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void kill() throws InterruptedException {
      process.destroyForcibly();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @Test
  void aProgramAnswersWhileItsServerIsStoppedOrKilledUntilItIsRemoved()
      throws IOException, InterruptedException {
    Thread process = serve();
    try (Device device = Device.open(device());
        Server server = new Server(Offloads.named("list-walk").orElseThrow(), device)) {
      Prepared always = server.next();
      always.answersRight();
      server.next().answersRight();
      server.stop();
      always.answersRight();
      server.next().answersRight();
      server.next().answersRight();
      server.kill();
      always.answersRight();
      server.next().answersRight();
      server.next().answersRight();

      Cli listed = Cli.run("program", "list", "--device", device());
      assertThat(listed.out())
          .matches(
              "list-walk  of process %d  \\d+ objects  \\d+ bytes\n"
                  .formatted(server.process.pid()));
      JsonNode json = Cli.run("program", "list", "--json", "--device", device()).json().getFirst();
      assertThat(json.get("name").asText()).isEqualTo("list-walk");
      assertThat(json.get("bytes").asLong()).isPositive();

      assertThat(Cli.run("program", "remove", "list-walk", "--device", device()).exitCode())
          .isEqualTo(2);
      assertThat(
              Cli.run("program", "remove", "list-walk", "--force", "--device", device()).exitCode())
          .isZero();
      assertThat(Cli.run("program", "list", "--device", device()).out()).isEmpty();
      Prepared late = server.next();
      assertThatThrownBy(late::answersRight)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("RETRY");
      Cli again = Cli.run("program", "remove", "list-walk", "--force", "--device", device());
      assertThat(again.exitCode()).isEqualTo(1);
      assertThat(again.err()).contains("there is no resident list-walk; ");
    }
    process.join();
  }

  @Test
  void clientsJoinAProgramLaterAndCallItAnyNumberOfTimes() throws InterruptedException {
    Thread process = serve();
    try (Device open = Device.open(device())) {
      JsonNode installed =
          Cli.run(
                  "program",
                  "install",
                  "fetch-add",
                  "--as",
                  "count",
                  "--seats",
                  "2",
                  "--json",
                  "--device",
                  device())
              .json()
              .getFirst();
      String token = installed.get("token").asText();
      assertThat(open.residents().orElseThrow().list()).hasSize(1);

      JsonNode first = call("count", "40");
      JsonNode second = call("count", "1");
      assertThat(first.get("answered").asInt()).isEqualTo(40);
      assertThat(second.get("answered").asInt()).isEqualTo(1);
      // The second client continues counting where the first one ended.
      assertThat(second.get("last").asText()).isNotEqualTo(first.get("last").asText());
      Cli third = Cli.run("program", "call", "count", "--device", device());
      assertThat(third.exitCode()).isEqualTo(1);
      assertThat(third.err()).contains("count has no free seat among its 2");

      Cli told = Cli.run("program", "diagnose", "count", "--token", token, "--device", device());
      assertThat(told.exitCode()).as(told.err()).isZero();
      assertThat(told.out()).contains("QP 0x");
      for (String command : List.of("diagnose", "remove")) {
        Cli other = Cli.run("program", command, "count", "--token", "1", "--device", device());
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("count has another token");
      }
      assertThat(
              Cli.run("program", "remove", "count", "--token", token, "--device", device())
                  .exitCode())
          .isZero();
      assertThat(open.residents().orElseThrow().list()).isEmpty();
    }
    process.join();
  }

  @Test
  void callsThatHaveNoAnswerAreMadeAnyNumberOfTimes() throws InterruptedException {
    Offload get = Offloads.named("hash-get-48").orElseThrow();
    long seed =
        LongStream.iterate(1, next -> next + 1)
            .filter(next -> get.example(next).answers().apply(Map.of()).isEmpty())
            .findFirst()
            .orElseThrow();
    Thread process = serve();
    try (Device open = Device.open(device())) {
      Cli installed =
          Cli.run(
              "program",
              "install",
              get.name(),
              "--seed",
              Long.toString(seed),
              "--seats",
              "1",
              "--device",
              device());
      assertThat(installed.exitCode()).as(installed.err()).isZero();
      assertThat(open.residents().orElseThrow().list()).hasSize(1);
      JsonNode calls = call(get.name(), "200");
      assertThat(calls.get("answered").asInt()).isZero();
      assertThat(calls.get("wrong").asInt()).isZero();
      assertThat(
              Cli.run("program", "remove", get.name(), "--force", "--device", device()).exitCode())
          .isZero();
    }
    process.join();
  }

  @Test
  void aCallThatHasNoAnswerIsAcknowledged() throws InterruptedException {
    Thread process = serve();
    try (Device open = Device.open(device())) {
      assertThat(install("list-walk", "--seed", "1").exitCode()).isZero();
      assertThat(open.residents().orElseThrow().list()).hasSize(1);
      assertThat(Cli.run("program", "call", "list-walk", "--device", device()).out())
          .isEqualTo(
              "list-walk: 1 of 1 calls were acknowledged; with the tables as installed, a call has"
                  + " no answer\n");
      assertThat(
              Cli.run("program", "remove", "list-walk", "--force", "--device", device()).exitCode())
          .isZero();
    }
    process.join();
  }

  @Test
  void theTablesOfAProgramHaveAnAnswerUnlessASeedIsGiven() throws InterruptedException {
    Thread process = serve();
    try (Device open = Device.open(device())) {
      assertThat(install("list-walk").exitCode()).isZero();
      assertThat(open.residents().orElseThrow().list()).hasSize(1);
      JsonNode call = call("list-walk", "1");
      assertThat(call.get("answered").asInt()).isEqualTo(1);
      assertThat(call.get("compared").asBoolean()).isTrue();
      assertThat(call.get("last").asText()).isNotEmpty();
      assertThat(
              Cli.run("program", "remove", "list-walk", "--force", "--device", device()).exitCode())
          .isZero();
    }
    process.join();
  }

  private Cli install(String... words) {
    List<String> all = new ArrayList<>(List.of("program", "install", "--device", device()));
    all.addAll(List.of(words));
    return Cli.run(all.toArray(String[]::new));
  }

  private JsonNode call(String resident, String calls) {
    Cli cli =
        Cli.run("program", "call", resident, "--calls", calls, "--json", "--device", device());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    return cli.json().getFirst();
  }

  @Test
  void aDeviceThatEndsWithTheCommandHasNoResidents() {
    Cli cli = Cli.run("program", "list", "--device", "soft");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("device soft ends with this command");
    assertThat(Cli.run("program", "remove", "x").exitCode()).isEqualTo(2);
  }
}
