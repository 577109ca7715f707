package dev.bluebell.examples;

import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.RemoteService;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A device process inside the test's process. */
public final class SharedDevice implements AutoCloseable {
  private final SoftNic nic;
  private final DeviceServer server;
  private final Path socket;

  /** Starts to share a device in a folder. */
  public SharedDevice(Path folder) throws IOException {
    socket = folder.resolve("device.sock");
    nic =
        SoftNic.open(
            SoftNicOptions.DEFAULT
                .withSpinNanos(Duration.ofNanos(5_000).toNanos())
                .withMaxSleepNanos(Duration.ofMillis(1).toNanos() / 2));
    server = new DeviceServer(socket, new RemoteService(nic, others -> {}), Quotas.of(nic));
  }

  /** What programs open. */
  public String name() {
    return "socket:" + socket;
  }

  @Override
  public void close() throws IOException {
    server.close();
    nic.close();
  }
}
