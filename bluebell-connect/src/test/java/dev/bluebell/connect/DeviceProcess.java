package dev.bluebell.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Hca;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.ClientShares;
import dev.bluebell.server.remote.Observers;
import dev.bluebell.server.remote.RemoteService;
import dev.bluebell.softnic.SoftNicProvider;
import dev.bluebell.uverbs.UverbsService;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A device process inside this process, which is also its client. */
final class DeviceProcess implements AutoCloseable {
  private final Path socket;
  private final Hca hca;
  private final Quotas quotas;
  private final DeviceServer server;

  /**
   * @param options of the software device, such as {@code listen=127.0.0.2}
   */
  DeviceProcess(Path socket, String options) throws IOException {
    this.socket = socket;
    hca = new SoftNicProvider().open("soft:spin=5,sleep=500" + options).orElseThrow();
    quotas = Quotas.of(hca);
    ClientShares shares = new ClientShares(hca);
    Observers observers = new Observers(hca);
    UverbsService applications = new UverbsService(hca, shares, observers);
    server = new DeviceServer(socket, new RemoteService(observers, shares, applications), quotas);
  }

  Device open() {
    return Device.open(device());
  }

  /** The name that clients open. */
  String device() {
    return "socket:" + socket;
  }

  /** Expects that no client has left an id of the connection manager. */
  void expectNoIds() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (quotas.held(Quota.CONNECTION_IDS) > 0) {
      assertThat(System.nanoTime()).as("no id is left within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Ends the process under its clients. */
  void end() throws IOException {
    server.close();
  }

  @Override
  public void close() throws IOException {
    server.close();
    hca.close();
  }
}
