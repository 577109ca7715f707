package dev.bluebell.cli.share;

import dev.bluebell.cli.command.WorkFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The devices of {@code run}, which the clients of a user share. */
public final class OwnDevice {
  private OwnDevice() {}

  /**
   * The default device, by its name for Java applications.
   *
   * @throws WorkFailed when its process does not run
   */
  public static String name() throws IOException {
    Path socket = RuntimeFolder.socket();
    if (!DeviceProcess.listens(socket)) {
      throw new WorkFailed(
          "no device process runs at %s; start one with 'bluebell run' or 'bluebell serve', or name another with --device socket:PATH"
              .formatted(socket));
    }
    return "socket:" + socket;
  }

  /**
   * The device that applications of {@code run} know by a name, by its name for Java applications;
   * empty if its process does not run.
   */
  public static Optional<String> named(String name) throws IOException {
    Path socket = RuntimeFolder.socket(name);
    return NamedDevice.isName(name) && DeviceProcess.listens(socket)
        ? Optional.of("socket:" + socket)
        : Optional.empty();
  }
}
