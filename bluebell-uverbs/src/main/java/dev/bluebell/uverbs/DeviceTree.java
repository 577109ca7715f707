package dev.bluebell.uverbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.uverbs.device.DeviceIdentity;
import dev.bluebell.uverbs.device.GidTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * A folder that looks to libibverbs like the sysfs of a machine with RDMA devices, by the variable
 * SYSFS_PATH: what {@code ibdev.c} and {@code sysfs.c} of libibverbs, and the match table of
 * libmlx5, read.
 */
public final class DeviceTree implements AutoCloseable {
  /** The name that programs know the device by. */
  public static final String NAME = "mlx5_0";

  /** Minor number of the first of the character devices that {@code shim.c} stands in for. */
  private static final int FIRST_MINOR = 3;

  private static final String BUS = "devices/soft";

  private final Path path;

  private DeviceTree(Path path) {
    this.path = path;
  }

  /** Makes the folder for one device, in place of anything that is at the path. */
  public static DeviceTree create(Path path, Hca hca) throws IOException {
    remove(path);
    // It must be new, and this user's alone: nobody plants a link where files are written.
    Path unused =
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    // As the kernel does it: a device's class folder is a link into the folder of its bus device.
    Path bus = path.resolve(BUS);
    Path device = bus.resolve("infiniband").resolve(NAME);
    describe(device, hca);
    describeBus(bus);
    port(device.resolve("ports/1"), hca);
    list(path, 0, NAME, BUS);
    return new DeviceTree(path);
  }

  /**
   * Makes a folder for several devices, each as its own folder describes it.
   *
   * @param path of the new folder, where nothing is yet
   * @param devices the folders of one device each, by the name that programs shall know it by;
   *     uverbs0 stands for the first
   */
  public static DeviceTree compose(Path path, SequencedMap<String, Path> devices)
      throws IOException {
    int index = 0;
    for (Map.Entry<String, Path> entry : devices.entrySet()) {
      String bus = BUS + index;
      copy(
          entry.getValue().resolve(BUS).resolve("infiniband").resolve(NAME),
          path.resolve(bus).resolve("infiniband").resolve(entry.getKey()));
      describeBus(path.resolve(bus));
      list(path, index, entry.getKey(), bus);
      index++;
    }
    return new DeviceTree(path);
  }

  /** The class folders' entries for a device, which point into the folder of its bus device. */
  private static void list(Path path, int index, String name, String bus) throws IOException {
    Path file = path.resolve("class/infiniband_verbs/uverbs" + index);
    write(path.resolve("class/infiniband_verbs/abi_version"), "6");
    write(file.resolve("ibdev"), name);
    write(file.resolve("dev"), "1:" + (FIRST_MINOR + index));
    write(file.resolve("abi_version"), "1");
    link(path.resolve(bus).resolve("infiniband").resolve(name).resolve("device"), "../..");
    link(
        path.resolve("class/infiniband").resolve(name),
        "../../%s/infiniband/%s".formatted(bus, name));
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(from)) {
      files = walk.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
    }
    for (Path file : files) {
      write(to.resolve(from.relativize(file)), Files.readString(file).strip());
    }
  }

  private static void describe(Path device, Hca hca) throws IOException {
    String guid = "%016x".formatted(DeviceIdentity.guid(hca)).replaceAll("(.{4})(?!$)", "$1:");
    write(device.resolve("node_type"), "1: CA");
    write(device.resolve("node_guid"), guid);
    write(device.resolve("sys_image_guid"), guid);
    write(device.resolve("fw_ver"), DeviceIdentity.FIRMWARE_TEXT);
    write(device.resolve("board_id"), "BLUEBELL_SOFT");
    write(device.resolve("hca_type"), "MT4129");
    write(device.resolve("hw_rev"), "0");
  }

  private static void describeBus(Path bus) throws IOException {
    write(
        bus.resolve("modalias"),
        "pci:v%08Xd%08Xsv%08Xsd00000000bc02sc00i00"
            .formatted(DeviceIdentity.PCI_VENDOR, DeviceIdentity.PART, DeviceIdentity.PCI_VENDOR));
    write(bus.resolve("vendor"), "0x%04x".formatted(DeviceIdentity.PCI_VENDOR));
    write(bus.resolve("device"), "0x%04x".formatted(DeviceIdentity.PART));
    write(bus.resolve("numa_node"), "-1");
  }

  private static void port(Path folder, Hca hca) throws IOException {
    HcaPort port = hca.queryPort(1);
    write(folder.resolve("state"), port.active() ? "4: ACTIVE" : "1: DOWN");
    write(folder.resolve("phys_state"), port.active() ? "5: LinkUp" : "3: Disabled");
    write(folder.resolve("rate"), "400 Gb/sec (4X NDR)");
    write(folder.resolve("link_layer"), "Ethernet");
    write(folder.resolve("lid"), "0x0");
    write(folder.resolve("pkeys/0"), "0xffff");
    for (int index = 0; index < port.gidTableLength(); index++) {
      Gid gid = hca.queryGid(1, index);
      write(folder.resolve("gids/" + index), gid.toString());
      if (!gid.equals(Gid.ZERO)) {
        write(folder.resolve("gid_attrs/types/" + index), GidTypes.name(hca, index));
        write(folder.resolve("gid_attrs/ndevs/" + index), "lo");
      }
    }
  }

  private static void link(Path link, String target) throws IOException {
    Path folder = link.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path unused = Files.createSymbolicLink(link, Path.of(target));
  }

  private static void write(Path file, String line) throws IOException {
    Path folder = file.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(file, line + "\n");
  }

  /** The value for SYSFS_PATH. */
  public Path path() {
    return path;
  }

  private static void remove(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(path)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }

  /** Removes the folder. */
  @Override
  public void close() throws IOException {
    remove(path);
  }
}
