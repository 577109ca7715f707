package dev.bluebell.uverbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that looks to libibverbs like the sysfs of a machine with one RDMA device, by the
 * variable SYSFS_PATH: what {@code ibdev.c} and {@code sysfs.c} of libibverbs, and the match table
 * of libmlx5, read.
 */
public final class DeviceTree implements AutoCloseable {
  /** The name that programs know the device by. */
  public static final String NAME = "mlx5_0";

  /** Number of the character device that {@code shim.c} stands in for. */
  private static final String DEVICE_NUMBER = "1:3";

  private final Path path;

  private DeviceTree(Path path) {
    this.path = path;
  }

  /** Makes the folder; what was at the path is removed. */
  public static DeviceTree create(Path path, Hca hca) throws IOException {
    remove(path);
    Path file = path.resolve("class/infiniband_verbs/uverbs0");
    // As the kernel does it: a device's class folder is a link into the folder of its bus device.
    Path bus = path.resolve("devices/soft");
    Path device = bus.resolve("infiniband").resolve(NAME);
    write(path.resolve("class/infiniband_verbs/abi_version"), "6");
    write(file.resolve("ibdev"), NAME);
    write(file.resolve("dev"), DEVICE_NUMBER);
    write(file.resolve("abi_version"), "1");
    describe(device, hca);
    describeBus(bus);
    link(device.resolve("device"), "../..");
    link(path.resolve("class/infiniband").resolve(NAME), "../../devices/soft/infiniband/" + NAME);
    port(device.resolve("ports/1"), hca);
    return new DeviceTree(path);
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
        write(folder.resolve("gid_attrs/types/" + index), "RoCE v2");
        write(folder.resolve("gid_attrs/ndevs/" + index), "lo");
      }
    }
  }

  private static void link(Path link, String target) throws IOException {
    Path folder = link.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path made = Files.createSymbolicLink(link, Path.of(target));
    assert made.equals(link);
  }

  private static void write(Path file, String line) throws IOException {
    Path folder = file.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(file, line + "\n");
  }

  /** What SYSFS_PATH must be. */
  public Path path() {
    return path;
  }

  private static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
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
