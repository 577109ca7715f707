package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObserver;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A shared device in this process. */
final class Host implements AutoCloseable {
  private final SoftNic nic;
  private final DeviceServer server;
  private final Path socket;
  private final Quotas quotas;

  Host(Path folder) throws IOException {
    this(folder, Map.of());
  }

  /** A device with options. */
  Host(Path folder, SoftNicOptions options) throws IOException {
    this(folder, options, Map.of());
  }

  /** A device with some small quotas. */
  Host(Path folder, Map<Quota, Long> small) throws IOException {
    this(folder, SoftNicOptions.DEFAULT, small);
  }

  private Host(Path folder, SoftNicOptions options, Map<Quota, Long> small) throws IOException {
    socket = folder.resolve("device.sock");
    nic =
        SoftNic.open(
            options
                .withSpinNanos(TimeUnit.MICROSECONDS.toNanos(5))
                .withMaxSleepNanos(TimeUnit.MICROSECONDS.toNanos(500)));
    quotas = small.isEmpty() ? Quotas.of(nic) : Quotas.of(small);
    server = new DeviceServer(socket, new RemoteService(nic, others -> {}), quotas);
  }

  Quotas quotas() {
    return quotas;
  }

  Path socket() {
    return socket;
  }

  String name() {
    return "socket:" + socket;
  }

  /** The device for another client of this process, with a share of its own. */
  Device another() {
    return Device.over(nic.hosting().orElseThrow().openClient());
  }

  Device open() {
    return Device.open(name());
  }

  /**
   * Waits until the device has {@code count} objects: a client's objects are freed shortly after
   * its end.
   */
  void awaitObjects(int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (objects().size() != count) {
      assertThat(System.nanoTime()).as("%s", objects()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Gives an observer the explanations of all clients. */
  void observe(HcaObserver observer) {
    nic.hosting().orElseThrow().observe(observer);
  }

  List<String> objects() {
    return nic.diagnosis().orElseThrow().objects();
  }

  /** The device's flight record, line by line. */
  List<String> flightRecord() {
    return nic.diagnosis().orElseThrow().flightRecord();
  }

  /** Waits until no client is connected, and expects that nothing is left. */
  void expectNothingLeft() throws InterruptedException {
    server.awaitIdle(1);
    assertThat(objects()).isEmpty();
  }

  /** Ends the device while clients use it. */
  void endServer() throws IOException {
    server.close();
  }

  @Override
  public void close() throws IOException {
    server.close();
    nic.close();
  }
}
