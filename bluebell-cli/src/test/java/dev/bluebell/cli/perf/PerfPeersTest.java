package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.cli.perf.Peers.Waiting;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client and a server measure together on a shared device process. */
@Tag("slow")
class PerfPeersTest {
  @TempDir private static Path folder;
  private static Peers peers;

  @BeforeAll
  static void open() throws IOException {
    peers = new Peers(folder);
  }

  @AfterAll
  static void close() throws IOException {
    peers.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write --size 64 --iters 20000",
        "write -c uc --qp 3 --size 32 --iters 1001",
        "read --size 64 --iters 1000",
        "send --size 64 --iters 20000",
        "send -c ud --size 64 --iters 1000",
        "send -c dc --size 64 --iters 1000",
        "send -c xrc --qp 3 --active 2 --size 64 --iters 1000",
        "write-imm --size 64 --iters 1000",
        "echo --iters 5000",
        "write --latency --iters 100",
        "send --latency --iters 100",
        "read --latency --iters 100",
        "echo --latency --iters 100"
      })
  void twoProcessesMeasureAndBothReportTheResult(String words) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(words.split(" ")));
    all.add("--json");
    String[] arguments = all.toArray(String[]::new);
    Waiting server = peers.serve(arguments);
    Cli client = peers.client(server.port(), arguments);
    Cli served = server.end();
    assertThat(client.exitCode()).as(client.err()).isZero();
    assertThat(served.exitCode()).as(served.err()).isZero();
    JsonNode result = client.json().getFirst();
    assertThat(result.get("iterations").asInt())
        .isEqualTo(Integer.parseInt(all.get(all.indexOf("--iters") + 1)));
    assertThat(result.get("dataVerified").asBoolean()).isTrue();
    JsonNode told = served.json().getFirst();
    for (String field : List.of("iterations", "messagesPerSecond", "latencyNanos", "size")) {
      assertThat(told.get(field)).as(field).isEqualTo(result.get(field));
    }
  }

  @Test
  void allSizesAreMeasuredInOneGo() throws Exception {
    String[] words = {"send", "-c", "ud", "--all", "--iters", "50"};
    Waiting server = peers.serve(words);
    Cli client = peers.client(server.port(), words);
    assertThat(client.exitCode()).as(client.err()).isZero();
    assertThat(client.out()).contains(" This process    : client", "all 600 messages");
    assertThat(server.end().out())
        .contains(" This process    : server")
        .containsPattern(" 2 +50 ")
        .containsPattern(" 4096 +50 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "poll write --size 32 --iters 2000",
        "poll read --size 64 --iters 500",
        "poll send --latency --iters 50",
        "thread write --latency --iters 50",
        "poll write --all --iters 20"
      })
  void eachProcessMeasuresWithADeviceOfItsOwnOnANetwork(String line) throws Exception {
    String[] words = line.split(" ", 2);
    String[] arguments = words[1].split(" ");
    Waiting server = Peers.serveOn(embedded(words[0], 20), arguments);
    Cli client = Peers.clientOn(embedded(words[0], 21), server.port(), arguments);
    Cli served = server.end();
    assertThat(served.exitCode()).as(served.err() + client.err()).isZero();
    assertThat(client.exitCode()).as(client.err()).isZero();
    assertThat(client.out()).contains("verified, all ");
  }

  /** A device at a loopback address that tests in other processes rarely use at the same time. */
  private static String embedded(String engine, int last) {
    long pid = ProcessHandle.current().pid();
    return "soft:engine=%s,listen=127.%d.%d.%d"
        .formatted(engine, 64 + (pid >>> 8 & 0x3f), pid & 0xff, last);
  }

  @Test
  void differentOptionsAreReportedOnBothSides() throws Exception {
    Waiting server = peers.serve("write", "--size", "64");
    Cli client = peers.client(server.port(), "write", "--size", "128");
    Cli served = server.end();
    for (Cli side : List.of(client, served)) {
      assertThat(side.exitCode()).isEqualTo(1);
      assertThat(side.err())
          .contains(
              "bluebell: the client has --size=128 and the server --size=64: start both with the"
                  + " same options");
      assertThat(side.out()).isEmpty();
    }
  }

  @Test
  void aMissingServerIsReported() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    Cli client = peers.client(free, "write");
    assertThat(client.exitCode()).isEqualTo(1);
    assertThat(client.err()).contains("can't be reached", "with --server, first");
  }

  @Test
  void aKilledClientIsReported() throws Exception {
    Waiting server = peers.serve("write", "--latency");
    try (CliProcess client =
        new CliProcess(
            peers.clientArguments(server.port(), "write", "--latency", "--duration", "600"))) {
      client.await(line -> line.contains("#iterations"));
      client.kill();
    }
    Cli served = server.end();
    assertThat(served.exitCode()).isEqualTo(1);
    assertThat(served.err())
        .contains("bluebell: the client is gone: its process has ended or hangs");
  }

  /** Acts as a server, as far as the test wants. */
  private static CompletableFuture<Void> pretendToServe(
      CompletableFuture<Integer> port, PeerScript script) {
    return CompletableFuture.runAsync(
        () -> {
          PerfWatch watch = new PerfWatch(() -> false, (plan, what) -> {});
          try (PeerChannel channel =
              PeerChannel.accept(
                  Device.open(peers.device()),
                  new InetSocketAddress("localhost", 0),
                  address -> port.complete(address.getPort()),
                  watch)) {
            PeerMessage unused = channel.receive(PeerMessage.Kind.OPTIONS);
            channel.send(PeerMessage.of(PeerMessage.Kind.AGREED));
            script.run(channel);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        command -> {
          Thread unused = Thread.ofPlatform().daemon().start(command);
        });
  }

  private interface PeerScript {
    void run(PeerChannel channel);
  }

  @Test
  void theEndOfTheServerIsReported() throws Exception {
    CompletableFuture<Integer> port = new CompletableFuture<>();
    CompletableFuture<Void> serving =
        pretendToServe(
            port,
            channel -> {
              PeerMessage unused = channel.receive(PeerMessage.Kind.END);
            });
    Cli client = peers.client(port.get(), "write");
    assertThat(client.exitCode()).isEqualTo(1);
    assertThat(client.err())
        .contains("bluebell: the server at localhost:" + port.get() + " ended the measurement");
    serving.get();
  }

  @Test
  void aServerWithAnotherProtocolIsReported() throws Exception {
    CompletableFuture<Integer> port = new CompletableFuture<>();
    CompletableFuture<Void> serving =
        pretendToServe(
            port,
            channel -> {
              channel.send(PeerMessage.of(PeerMessage.Kind.END, "no end"));
              PeerMessage unused = channel.receive(PeerMessage.Kind.END);
            });
    Cli client = peers.client(port.get(), "write");
    assertThat(client.exitCode()).isEqualTo(1);
    assertThat(client.err()).contains("bluebell: the other side of perf uses another protocol");
    serving.exceptionally(failure -> null).get();
  }

  @Test
  void dataThatAClientReadsAreVerified() throws Exception {
    CompletableFuture<Integer> port = new CompletableFuture<>();
    CompletableFuture<Void> serving = pretendToServe(port, PerfPeersTest::serveZeros);
    Cli client = peers.client(port.get(), "read", "--size", "64", "--iters", "1", "--json");
    assertThat(client.err())
        .contains("bluebell: the data of perf read is wrong: a message was lost");
    assertThat(client.exitCode()).isEqualTo(1);
    serving.get();
  }

  private static void serveZeros(PeerChannel client) {
    try (Device device = Device.open(peers.device())) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      MemoryRegion zeros = domain.allocate(1 << 21, Access.rights());
      OpenEnd end = ConnectionKind.RC.open(settings(device, domain));
      PeerEnd other = PeerEnd.of(client.receive(PeerMessage.Kind.END));
      client.send(new PeerEnd(end.address(), PeerEnd.NONE, zeros.remote()).message());
      End unused = end.connect(other.address());
      PeerMessage round = client.receive(PeerMessage.Kind.ROUND);
      assertThat(round.number()).isEqualTo(1);
      client.send(PeerMessage.of(PeerMessage.Kind.READY));
      PeerMessage unusedLook = client.receive(PeerMessage.Kind.LOOK);
      client.send(PeerMessage.of(PeerMessage.Kind.LOOKED, 1));
      PeerMessage unusedResult = client.receive(PeerMessage.Kind.RESULT);
    }
  }

  private static EndSettings settings(Device device, ProtectionDomain domain) {
    var completions = device.createCompletionQueue(16);
    return new EndSettings(
        device, domain, completions, completions, PerfOperation.WRITE, 16, 0, 0, null, null);
  }

  @Test
  void aServerReportsMissingMessagesAndRefusesRoundsWithoutRoom() throws Exception {
    String[] words = {"write", "--size", "64"};
    Waiting server = peers.serve(words);
    try (PeerChannel channel =
            PeerChannel.connect(
                Device.open(peers.device()), new InetSocketAddress("localhost", server.port()));
        Device device = Device.open(peers.device())) {
      channel.send(
          PeerMessage.of(
              PeerMessage.Kind.OPTIONS,
              "OP=write\n--latency=off\n--connection=rc\n--size=64\n--tx-depth=128\n--qp=1\n"
                  + "--active=1\n"));
      PeerMessage unusedAgreed = channel.receive(PeerMessage.Kind.AGREED);
      ProtectionDomain domain = device.allocateProtectionDomain();
      OpenEnd end = ConnectionKind.RC.open(settings(device, domain));
      channel.send(new PeerEnd(end.address(), PeerEnd.NONE, PeerEnd.NONE).message());
      PeerMessage unused = channel.receive(PeerMessage.Kind.END);
      channel.send(PeerMessage.of(PeerMessage.Kind.ROUND, 1));
      PeerMessage unusedReady = channel.receive(PeerMessage.Kind.READY);
      channel.send(PeerMessage.of(PeerMessage.Kind.LOOK));
      assertThat(channel.receive(PeerMessage.Kind.LOOKED).number()).isZero();
      channel.send(PeerMessage.of(PeerMessage.Kind.ROUND, 1 << 20));
      assertThat(server.end().err()).contains("the other side of perf uses another protocol");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write --server",
        "write --client localhost",
        "write --server --client localhost --device socket:x",
        "write --server --port 65536 --device socket:x",
        "write --client :1 --device socket:x",
        "write --client localhost:0 --device socket:x",
        "write --client localhost:x --device socket:x",
        "cas --server --device socket:x",
        "write --server --bidirectional --device socket:x",
        "send --client localhost --srq --device socket:x",
        "write --runs 0",
        "write --runs 2 --all",
        "write --runs 2 --server --device socket:x",
        "write --runs 2 --report page.html"
      })
  void optionsThatMakeNoSenseAreWrongUsage(String words) {
    List<String> all = new ArrayList<>(List.of("perf"));
    all.addAll(Arrays.asList(words.split(" ")));
    Cli cli = Cli.run(all.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: ");
  }

  @Test
  void ctrlCKeepsTheRowsThatWereMeasured() throws Exception {
    try (CliProcess perf =
        new CliProcess(List.of("perf", "write", "--all", "--iters", "1000000", "--warm-up", "0"))) {
      perf.await(line -> line.matches(" 2 +1000000 .*"));
      perf.interrupt();
      assertThat(perf.end()).as(perf.output()).isEqualTo(130);
      assertThat(perf.output())
          .contains(" Interrupted     : only the rows above were measured", "verified, all ");
    }
  }

  @Test
  void ctrlCBeforeTheFirstRowPrintsNoSummary() throws Exception {
    try (CliProcess perf = new CliProcess(List.of("perf", "write", "--warm-up", "60"))) {
      perf.await(line -> line.contains("#bytes"));
      perf.interrupt();
      assertThat(perf.end()).as(perf.output()).isEqualTo(130);
      assertThat(perf.output())
          .contains(" Interrupted     : ")
          .doesNotContain("verified", "per message");
    }
  }
}
