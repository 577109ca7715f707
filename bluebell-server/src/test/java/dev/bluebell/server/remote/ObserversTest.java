package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.server.ClientUid;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an observer gets about its clients. */
class ObserversTest {
  private final SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT);
  private final Observers observers = new Observers(nic);
  private final ClientUid uid = ClientUid.take();
  private WatchedProcess process;

  @BeforeEach
  void open() throws IOException {
    process = WatchedProcess.open((int) ProcessHandle.current().pid());
  }

  @AfterEach
  void close() {
    nic.close();
    process.close();
    uid.close();
  }

  /** A client that presents an observer's token. */
  private Device client(long token) {
    ObservedClient client =
        new ObservedClient(nic.hosting().orElseThrow().openClient(), observers, process, uid);
    client.attach(token);
    return Device.over(client);
  }

  private static void write(Peer from, Peer to) {
    from.write(to.memory().address(), to.memory().rkey(), 8);
    from.awaitSuccess();
  }

  private long tracedLines() {
    return nic.diagnosis().orElseThrow().flightRecord().stream()
        .filter(line -> line.contains("ctrl opcode="))
        .count();
  }

  @Test
  void anObserverThatIsNotServedLearnsWhy(@TempDir Path folder) throws Exception {
    Path socket = folder.resolve("device.sock");
    DeviceServer.Service service = new ObserverService(observers, others -> {});
    Quotas none = Quotas.of(Map.of(Quota.CONNECTIONS, 0L));
    try (DeviceServer server = new DeviceServer(socket, service, none)) {
      assertThatThrownBy(() -> Observation.open(socket, false, sentence -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("(quota CONNECTIONS)");
      server.awaitIdle(1);
    }
  }

  @Test
  void queuePairsAreTracedUntilTheirObserverEnds() {
    Observed observed = observers.open(true);
    long token = observed.token();
    Device early = client(token);
    Device other = client(token);
    try (Peer left = new Peer(client(token), Peer.Payload.SHARED);
        Peer right = new Peer(client(token), Peer.Payload.SHARED)) {
      Peer.connect(left, right);
      write(left, right);
      long traced = tracedLines();
      assertThat(traced).isPositive();
      observers.close(observed);
      write(left, right);
      assertThat(tracedLines()).as("of queue pairs that existed").isEqualTo(traced);
      try (Peer later = new Peer(early, Peer.Payload.SHARED);
          Peer latest = new Peer(other, Peer.Payload.SHARED)) {
        Peer.connect(later, latest);
        write(later, latest);
        assertThat(tracedLines()).as("of a queue pair that was created later").isEqualTo(traced);
      }
    }
  }
}
