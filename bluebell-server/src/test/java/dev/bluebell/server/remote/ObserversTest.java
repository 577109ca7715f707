package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.server.ClientUid;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
  void theQueuesOfAClientAreKnownWhileItLivesAndAsItLeftThem(@TempDir Path folder)
      throws Exception {
    Path socket = folder.resolve("device.sock");
    DeviceServer.Service service = new ObserverService(observers, others -> {});
    Process application = new ProcessBuilder("sleep", "600").start();
    try (DeviceServer server = new DeviceServer(socket, service, Quotas.of(nic));
        WatchedProcess watched = WatchedProcess.open((int) application.pid());
        Observation observation = Observation.open(socket, false, sentence -> {})) {
      assertThat(Observation.queues(socket)).isEmpty();
      ObservedClient client =
          new ObservedClient(nic.hosting().orElseThrow().openClient(), observers, watched, uid);
      client.attach(observation.token());
      try (Device device = Device.over(client)) {
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair queuePair = device.allocateProtectionDomain().rcQueuePair(completions).create();
        queuePair.connect(queuePair.endpoint());
        queuePair.nop().signaled(1);
        queuePair.nop().unsignaled(2);
        queuePair.nop().unsignaled(3);
        queuePair.ringDoorbell();
        while (nic.diagnosis().orElseThrow().objects().stream()
            .noneMatch(line -> line.contains("send index 3"))) {
          Thread.onSpinWait();
        }
        List<String> queues = Observation.queues(socket);
        assertThat(queues.getFirst()).startsWith("process " + application.pid());
        assertThat(queues)
            .anyMatch(
                line -> line.contains("1 completion not polled") && line.contains("not armed"))
            .anyMatch(
                line ->
                    line.contains(
                            "the last 2 executed requests are not signalled, so no completion")
                        && line.startsWith("QP 0x%x: ".formatted(queuePair.number())));
        client.leave();
        application.destroyForcibly().waitFor();
        client.leave();
        client.leave();
        assertThat(observation.end()).isNotEmpty();
        assertThat(observation.left())
            .as("of the one that ended, once")
            .isEqualTo(queues.subList(1, queues.size()));
      }
    } finally {
      application.destroyForcibly();
    }
  }

  @Test
  void theQueuesOfAClientAreKnownAlsoWhenItsObserverIsGone(@TempDir Path folder) throws Exception {
    Path socket = folder.resolve("device.sock");
    Observed gone = observers.open(true);
    try (DeviceServer server =
            new DeviceServer(socket, new ObserverService(observers, others -> {}), Quotas.of(nic));
        Device device = client(gone.token())) {
      int before = device.createCompletionQueue(16).number();
      observers.close(gone);
      int after = device.createCompletionQueue(16).number();
      assertThat(Observation.queues(socket))
          .anyMatch(line -> line.startsWith("CQ 0x%x: ".formatted(before)))
          .anyMatch(line -> line.startsWith("CQ 0x%x: ".formatted(after)));
      server.awaitIdle(1);
    }
  }

  @Test
  void onlyAnObserverWhoseClientsHadObjectsBeforeTheOldestEntryIsToldThatEntriesAreLost() {
    try (SoftNic small = SoftNic.open(SoftNicOptions.DEFAULT.withRecorderEntries(8))) {
      Observers ofSmall = new Observers(small);
      Observed early = ofSmall.open(false);
      Runnable end = ofSmall.begin(new ObservedProcess(early, process), Subject.QUEUE_PAIR, 0x40);
      try (Device device = Device.over(small.hosting().orElseThrow().openClient())) {
        for (int i = 0; i < 20; i++) {
          device.allocateProtectionDomain().close();
        }
        Observed late = ofSmall.open(false);
        Runnable endOfLate =
            ofSmall.begin(new ObservedProcess(late, process), Subject.QUEUE_PAIR, 0x40);
        assertThat(ofSmall.happenings(early))
            .extracting(HcaHappening::kind)
            .containsExactly(HcaHappening.OVERWRITTEN);
        assertThat(ofSmall.happenings(late)).isEmpty();
        endOfLate.run();
      }
      end.run();
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
