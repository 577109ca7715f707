package dev.bluebell.conformance.binding;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.RemoteService;
import dev.bluebell.server.remote.SocketProvider;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Provider of the device {@code hosted}, opened only by name: one device for all tests, which open
 * it over a socket of this process as another process would.
 */
public final class HostedProvider implements HcaProvider {
  private static final String NAME = "hosted";

  /** Created when the first test opens it. */
  private static final class Host {
    static final Path SOCKET = start();

    private static Path start() {
      try {
        Path folder = Files.createTempDirectory("bluebell");
        Path socket = folder.resolve("device.sock");
        SoftNic nic =
            SoftNic.open(
                SoftNicOptions.DEFAULT
                    .withSpinNanos(TimeUnit.MICROSECONDS.toNanos(50))
                    .withMaxSleepNanos(TimeUnit.MICROSECONDS.toNanos(200)));
        DeviceServer server =
            new DeviceServer(socket, new RemoteService(nic, client -> {}), Quotas.of(nic));
        Runtime.getRuntime()
            .addShutdownHook(Thread.ofPlatform().unstarted(() -> stop(server, folder)));
        return socket;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void stop(DeviceServer server, Path folder) {
      try {
        server.close();
        Files.delete(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public List<String> names() {
    return List.of(NAME);
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<Hca> open(String name) {
    return name.equals(NAME)
        ? new SocketProvider().open("socket:" + Host.SOCKET)
        : Optional.empty();
  }
}
