package dev.bluebell.cli.share;

import dev.bluebell.cli.command.WorkFailed;
import java.io.IOException;
import java.nio.file.Path;

/** The default device, which the clients of a user share unless they name another. */
public final class OwnDevice {
  private OwnDevice() {}

  /**
   * Its name for Java applications.
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
}
