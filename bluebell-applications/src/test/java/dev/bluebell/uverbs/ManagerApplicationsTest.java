package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.server.Quota;
import dev.bluebell.server.remote.Observation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that connect by librdmacm, unmodified; skipped where they are not installed. */
@Tag("slow")
class ManagerApplicationsTest extends Hosted {
  private static final String UTILITIES = "rdmacm-utils";
  private static final int RPING_PORT = 7174;

  /** A program that the page has whole, and what it prints. */
  private static final Pattern DOCUMENTED_SERVER =
      Pattern.compile(
          "```java\n(import .*?)```.*?The server prints:\n\n```\n(.*?)```", Pattern.DOTALL);

  @Test
  void theManagersDeviceFileBehavesLikeTheKernels() throws IOException, InterruptedException {
    Application application =
        Application.start(host, folder, List.of(Application.compile("manager.c", "-pthread")));
    application.expectSuccess();
    assertThat(application.output()).isEqualTo("ok\n");
    host.expectNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void rpingFindsAllDataRight(String address) throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    assertThat(
            run(
                "rping -s -C 100 -v -V -a " + address,
                RPING_PORT,
                "rping -c -C 100 -v -V -a " + address))
        .contains("ping data: rdma-ping-99:")
        .doesNotContain("mismatch", "failed");
  }

  @ParameterizedTest
  @CsvSource({"ucmatose -c 4, 7471", "udaddy -c 2, 7174"})
  void theExamplesOfLibrdmacmSucceed(String command, int port)
      throws IOException, InterruptedException {
    Application.require("ucmatose", UTILITIES);
    run(command, port, command + " -s 127.0.0.1");
  }

  // Not with "-c UD": perftest connects twice then, and its client does not wait until the server
  // listens for the second time.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ib_write_bw -R -F -n 100",
        "ib_read_lat -R -F -n 100",
      })
  void perftestConnectsByTheConnectionManager(String command)
      throws IOException, InterruptedException {
    Application.require("ib_write_bw", "perftest");
    run(command + " -p 20001", 20001, command + " -p 20001 127.0.0.1");
  }

  @Test
  void aClientWithoutAServerIsRejectedWithAnExplanation() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    try (Observation observation =
        Observation.open(host.socket(), false, explanation -> heard.add(explanation.sentence()))) {
      String observer = "BLUEBELL_OBSERVER=" + observation.token();
      Application client =
          Application.start(
              host, folder, List.of("env", observer, "rping", "-c", "-a", "127.0.0.1"));
      assertThat(client.awaitEnd()).isNotZero();
      assertThat(client.output()).contains("RDMA_CM_EVENT_REJECTED, error 8");
      var unused = observation.end();
    }
    assertThat(heard).anyMatch(sentence -> sentence.contains("no id listens there"));
    host.expectNothingLeft();
  }

  @Test
  void aServerThatIsKilledDisconnectsItsClient() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    Application server = start("rping -s -a 127.0.0.1");
    server.awaitListener(RPING_PORT);
    Application client = start("rping -c -a 127.0.0.1 -v");
    client.awaitOutputOf("rdma-ping-10:");
    server.kill();
    assertThat(server.awaitEnd()).isNotZero();
    client.awaitEnd();
    assertThat(client.output()).contains("DISCONNECT EVENT");
    host.expectNothingLeft();
    // The room of an end is taken for as long as packets of its connection could be under way.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (host.quotas().held(Quota.CONNECTION_IDS) > 0) {
      assertThat(System.nanoTime()).as("nothing is left within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void aJavaServerAnswersRping(String address) throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    try (JavaRping java = new JavaRping(host);
        RdmaServer server = java.listen(address, RPING_PORT)) {
      Application client = start("rping -c -C 10 -v -V -a " + address);
      assertThat(java.serve(server)).isEqualTo(10);
      client.expectSuccess();
    }
    host.expectNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void aJavaClientPingsRping(String address) throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    Application server = start("rping -s -C 10 -v -a " + address);
    server.awaitListener(RPING_PORT);
    try (JavaRping java = new JavaRping(host)) {
      java.ping(address, RPING_PORT, 10);
      server.expectSuccess();
    }
    assertThat(server.output()).contains("rdma-ping-9: from Java");
    host.expectNothingLeft();
  }

  @Test
  void rpingIsRejectedByAJavaServer() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    try (JavaRping java = new JavaRping(host);
        RdmaServer server = java.listen("127.0.0.1", RPING_PORT)) {
      Application client = start("rping -c -a 127.0.0.1");
      ConnectionRequest request = server.next(Duration.ofSeconds(120));
      assertThat(request).isNotNull();
      request.reject((byte) 1);
      assertThat(client.awaitEnd()).isNotZero();
      assertThat(client.output()).contains("RDMA_CM_EVENT_REJECTED, error 28");
    }
    host.expectNothingLeft();
  }

  @Test
  void theServerOfTheDocumentationServesUcmatose() throws IOException, InterruptedException {
    Application.require("ucmatose", UTILITIES);
    Path page =
        Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolveSibling("docs/connections.md");
    Matcher program = DOCUMENTED_SERVER.matcher(Files.readString(page));
    assertThat(program.find()).isTrue();
    Path source = Files.writeString(folder.resolve("Server.java"), program.group(1));
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--class-path",
                System.getProperty("java.class.path"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                source.toString(),
                "socket:" + host.socket())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader printed = server.inputReader()) {
      String listening = printed.readLine();
      start("ucmatose -s 127.0.0.1 -C 1").expectSuccess();
      String rest = printed.lines().map(line -> line + "\n").collect(Collectors.joining());
      assertThat(listening + "\n" + rest).isEqualTo(program.group(2));
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly();
    }
    host.expectNothingLeft();
  }

  private Application start(String command) throws IOException {
    return Application.start(host, folder, List.of(command.split(" ")));
  }

  private String run(String server, int port, String client)
      throws IOException, InterruptedException {
    return Application.runByManager(host, server, port, host, client, folder);
  }
}
