package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.NativeAccess;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Provider of the device of a device process, named by its socket: {@code socket:PATH}. Processes
 * that open the same socket share the device.
 */
public final class SocketProvider implements HcaProvider {
  static final String PREFIX = "socket:";

  @Override
  public List<String> names() {
    return List.of();
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<Hca> open(String name) {
    if (!name.startsWith(PREFIX)) {
      return Optional.empty();
    }
    requireNativeAccess();
    String path = name.substring(PREFIX.length());
    if (path.isEmpty()) {
      throw new IllegalArgumentException(
          "the device name socket: needs the path of a device process's socket, as in"
              + " socket:/run/user/1000/bluebell/device.sock; 'bluebell serve' prints it");
    }
    return Optional.of(new SocketHca(Path.of(path)));
  }

  private static void requireNativeAccess() {
    Runnable restricted =
        () -> {
          MemorySegment unused = MemorySegment.NULL.reinterpret(1);
        };
    NativeAccess.require(restricted, Hca.class.getModule(), SocketProvider.class.getModule());
  }
}
