package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.connect.RdmaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Applications of two devices, which find each other over the network by librdmacm, unmodified;
 * skipped where they are not installed.
 */
@Tag("slow")
class NetworkApplicationsTest {
  private static final String UTILITIES = "rdmacm-utils";
  private static final int RPING_PORT = 7174;
  private static final String NEAR = address(2);
  private static final String FAR = address(3);

  @TempDir Path folder;
  private Host near;
  private Host far;

  /** A loopback address that tests of other processes hardly use at the same time. */
  private static String address(int last) {
    long pid = ProcessHandle.current().pid();
    return "127.%d.%d.%d".formatted(128 + (pid >>> 8 & 0x3f), pid & 0xff, last);
  }

  @BeforeEach
  void openHosts() throws IOException {
    near = open("near", NEAR);
    far = open("far", FAR);
  }

  private Host open(String name, String address) throws IOException {
    return new Host(Files.createDirectory(folder.resolve(name)), "listen=" + address);
  }

  @AfterEach
  void closeHosts() throws IOException {
    near.close();
    far.close();
  }

  @Test
  void rpingFindsAllDataRight() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    assertThat(
            run("rping -s -C 100 -v -V -a " + FAR, RPING_PORT, "rping -c -C 100 -v -V -a " + FAR))
        .contains("ping data: rdma-ping-99:")
        .doesNotContain("mismatch", "failed");
    assertThat(far.objects())
        .anyMatch(
            line ->
                line.contains("cm_tx_msgs/rep 1")
                    && line.contains("cm_rx_msgs/req 1")
                    && line.contains("cm_rx_msgs/rtu 1"));
  }

  @ParameterizedTest
  @CsvSource({"ucmatose -c 4, 7471", "udaddy -c 2, 7174"})
  void theExamplesOfLibrdmacmSucceed(String command, int port)
      throws IOException, InterruptedException {
    Application.require("ucmatose", UTILITIES);
    run(command, port, command + " -s " + FAR);
  }

  // Not with "-c UD": see ManagerApplicationsTest.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ib_write_bw -R -F -n 100",
        "ib_read_lat -R -F -n 100",
      })
  void perftestConnectsByTheConnectionManager(String command)
      throws IOException, InterruptedException {
    Application.require("ib_write_bw", "perftest");
    run(command + " -p 20001", 20001, command + " -p 20001 " + FAR);
  }

  @Test
  void aClientWithoutAServerIsRejected() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    Application client = start(near, "rping -c -a " + FAR);
    assertThat(client.awaitEnd()).isNotZero();
    assertThat(client.output()).contains("RDMA_CM_EVENT_REJECTED, error 8");
  }

  @Test
  void aServerThatIsKilledDisconnectsItsClient() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    Application server = start(far, "rping -s -a " + FAR);
    server.awaitListener(RPING_PORT);
    Application client = start(near, "rping -c -v -a " + FAR);
    client.awaitOutputOf("rdma-ping-10:");
    server.kill();
    assertThat(server.awaitEnd()).isNotZero();
    client.awaitEnd();
    assertThat(client.output()).contains("DISCONNECT EVENT");
  }

  @Test
  void aJavaServerAnswersRping() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    try (JavaRping java = new JavaRping(far);
        RdmaServer server = java.listen(FAR, RPING_PORT)) {
      Application client = start(near, "rping -c -C 10 -v -V -a " + FAR);
      assertThat(java.serve(server)).isEqualTo(10);
      client.expectSuccess();
      assertThat(client.output())
          .contains("ping data: rdma-ping-9:")
          .doesNotContain("mismatch", "failed");
    }
  }

  @Test
  void aJavaClientPingsRping() throws IOException, InterruptedException {
    Application.require("rping", UTILITIES);
    Application server = start(far, "rping -s -C 10 -v -a " + FAR);
    server.awaitListener(RPING_PORT);
    try (JavaRping java = new JavaRping(near)) {
      java.ping(FAR, RPING_PORT, 10);
      server.expectSuccess();
    }
    assertThat(server.output()).contains("rdma-ping-9: from Java");
  }

  private Application start(Host host, String command) throws IOException {
    return Application.start(host, folder, List.of(command.split(" ")));
  }

  private String run(String server, int port, String client)
      throws IOException, InterruptedException {
    return Application.runByManager(far, server, port, near, client, folder);
  }
}
