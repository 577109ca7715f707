package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.server.OwnFile;
import dev.bluebell.uverbs.tree.DeviceFiles;
import dev.bluebell.uverbs.tree.TreeFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A folder that looks to clients like the sysfs of a machine with ConnectX cards, and like its
 * folder of device files. libibverbs finds it by the variable SYSFS_PATH; for all other code,
 * {@code paths.c} redirects {@code /sys} and {@code /dev/infiniband} to it.
 */
public final class DeviceTree implements AutoCloseable {
  /** The device's name for clients. */
  public static final String NAME = "mlx5_0";

  private final TreeFolder folder;

  private DeviceTree(TreeFolder folder) {
    this.folder = folder;
  }

  /** Makes the folder for one device, replacing anything of this user's at the path. */
  public static DeviceTree create(Path path, Hca hca) throws IOException {
    OwnFile.requireOwn(path);
    new TreeFolder(path).remove();
    // It must be new and accessible to this user only, so no one can plant a link where files are
    // written.
    Path unused =
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    DeviceTree tree = new DeviceTree(new TreeFolder(path.toRealPath()));
    DeviceFiles files = new DeviceFiles(tree.folder);
    files.describe(NAME, hca);
    files.finish();
    return tree;
  }

  /**
   * Makes a folder for several devices, each as its own folder describes it.
   *
   * @param path of the new folder; must not exist or be empty
   * @param devices the folders of one device each, by the name that clients will see; the first
   *     becomes uverbs0
   */
  public static DeviceTree compose(Path path, SequencedMap<String, Path> devices)
      throws IOException {
    Path unused = Files.createDirectories(path);
    DeviceTree tree = new DeviceTree(new TreeFolder(path.toRealPath()));
    DeviceFiles files = new DeviceFiles(tree.folder);
    for (Map.Entry<String, Path> entry : devices.entrySet()) {
      files.adopt(entry.getKey(), entry.getValue(), NAME);
    }
    files.finish();
    return tree;
  }

  /** The value for SYSFS_PATH: absolute, and without symbolic links. */
  public Path path() {
    return folder.path();
  }

  /** Removes the folder. */
  @Override
  public void close() throws IOException {
    folder.remove();
  }
}
