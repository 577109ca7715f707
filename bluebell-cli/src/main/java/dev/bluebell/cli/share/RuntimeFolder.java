package dev.bluebell.cli.share;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.server.OwnFile;
import dev.bluebell.server.Processes;
import dev.bluebell.uverbs.DeviceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/** The user's private folder for the files of device processes. */
public final class RuntimeFolder {
  private RuntimeFolder() {}

  /** The folder, created if missing. No other user can access it. */
  public static Path get() throws IOException {
    String session = System.getenv("XDG_RUNTIME_DIR");
    Path folder =
        session != null && Files.isWritable(Path.of(session))
            ? Path.of(session, "bluebell")
            : Path.of(System.getProperty("java.io.tmpdir"), "bluebell-" + Processes.userId());
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    String rights =
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS));
    if (!OwnFile.isOwn(folder) || !rights.equals("rwx------")) {
      throw new WorkFailed(
          "the folder %s must belong to you alone (mode 700); remove it, or set XDG_RUNTIME_DIR"
              .formatted(folder));
    }
    return folder;
  }

  /** The folder next to a socket that describes the device to libibverbs. */
  static Path tree(Path socket) {
    return beside(socket, ".sysfs");
  }

  /** The lock file next to a socket, which keeps a second device process away. */
  static Path lock(Path socket) {
    return beside(socket, ".lock");
  }

  /** The log file next to a socket, of a device process that 'run' started. */
  static Path log(Path socket) {
    return beside(socket, ".log");
  }

  private static Path beside(Path socket, String suffix) {
    return socket.resolveSibling(Objects.requireNonNull(socket.getFileName()) + suffix);
  }

  /** The socket of the device process that applications share by default. */
  static Path socket() throws IOException {
    return get().resolve("device.sock");
  }

  /** The socket of the device process whose device applications know by this name. */
  static Path socket(String name) throws IOException {
    return name.equals(DeviceTree.NAME) ? socket() : get().resolve("device-" + name + ".sock");
  }
}
