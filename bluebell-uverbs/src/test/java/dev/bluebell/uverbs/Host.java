package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.ObserverService;
import dev.bluebell.server.remote.Observers;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicProvider;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A shared device in this process. */
final class Host implements AutoCloseable {
  private static final int LINES_OF_RECORD = 40;

  private final Hca nic;
  private final UverbsService service;
  private final DeviceServer server;
  private final DeviceTree tree;
  private final Path folder;
  private final Quotas quotas;

  Host(Path folder) throws IOException {
    this(folder, Map.of());
  }

  /** A device of whose quotas some are small. */
  Host(Path folder, Map<Quota, Long> small) throws IOException {
    this(
        folder,
        small,
        SoftNic.open(
            SoftNicOptions.DEFAULT
                .withIdentity(1)
                .withSpinNanos(TimeUnit.MICROSECONDS.toNanos(5))
                .withMaxSleepNanos(TimeUnit.MICROSECONDS.toNanos(500))));
  }

  /** A device with options, such as {@code soft:mtu=1024}. */
  Host(Path folder, String device) throws IOException {
    this(folder, Map.of(), new SoftNicProvider().open(device).orElseThrow());
  }

  private Host(Path folder, Map<Quota, Long> small, Hca hca) throws IOException {
    this.folder = folder;
    nic = hca;
    quotas = small.isEmpty() ? Quotas.of(nic) : Quotas.of(small);
    Observers observers = new Observers(nic);
    service = new UverbsService(nic, observers);
    server = new DeviceServer(socket(), new ObserverService(observers, service), quotas);
    tree = DeviceTree.create(folder.resolve("sysfs"), nic);
  }

  Quotas quotas() {
    return quotas;
  }

  Path socket() {
    return folder.resolve("device.sock");
  }

  Path tree() {
    return tree.path();
  }

  /** Where applications listen with the connection manager. */
  List<String> listeners() {
    return service.listeners();
  }

  /** Waits until no application is connected, and expects that none left anything. */
  void expectNothingLeft() throws InterruptedException {
    server.awaitIdle(1);
    assertThat(objects()).allMatch(line -> line.startsWith("fabric "));
  }

  List<String> objects() {
    return nic.diagnosis().orElseThrow().objects();
  }

  /** What the device has and did last, for the message of a failure. */
  String describe() {
    HcaDiagnosis diagnosis = nic.diagnosis().orElseThrow();
    List<String> record = diagnosis.flightRecord();
    List<String> lines = new ArrayList<>(diagnosis.objects());
    lines.addAll(diagnosis.explanations());
    lines.addAll(record.subList(Math.max(0, record.size() - LINES_OF_RECORD), record.size()));
    return String.join("\n  ", lines);
  }

  /** Ends the device under the applications that use it. */
  void endServer() throws IOException {
    server.close();
  }

  @Override
  public void close() throws IOException {
    server.close();
    tree.close();
    nic.close();
    assertThat(Files.exists(socket())).isFalse();
  }
}
