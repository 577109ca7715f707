package dev.bluebell.uverbs.tree;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.uverbs.device.DeviceIdentity;
import dev.bluebell.uverbs.session.VportContext;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Adds devices to a tree: the files that {@code ibdev.c} and {@code sysfs.c} of libibverbs, the
 * match table of libmlx5, libibumad, and the topology code of NCCL, UCX and hwloc read.
 */
public final class DeviceFiles {
  /** Numbers of the first of the character devices that {@code devices.c} describes. */
  private static final int MAJOR = 1;

  private static final int FIRST_MINOR = 3;

  /** Numbers of the character device of the connection manager. */
  private static final int MISC_MAJOR = 10;

  private static final int MANAGER_MINOR = 256;

  /** The network interface with the addresses of the GID table. */
  private static final String INTERFACE = "lo";

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private static final String NETWORK = "net/" + INTERFACE;

  private final TreeFolder tree;

  /** Ethernet address of the first device's port, or of the machine's interface. */
  private String address = "00:00:00:00:00:00";

  private int index;

  public DeviceFiles(TreeFolder tree) {
    this.tree = tree;
  }

  /** Adds a device in its current state. */
  public void describe(String name, Hca hca) throws IOException {
    PciPlace place = PciPlace.free(index);
    HcaIdentity identity = hca.identity();
    TreeFolder device = addPci(place, name, identity.part());
    HcaPort port = hca.queryPort(VportContext.PORT);
    if (port.linkLayer() == LinkLayer.ETHERNET) {
      network(place, "%012x".formatted(port.mac()).replaceAll("(..)(?!$)", "$1:"));
    }
    String guid = "%016x".formatted(DeviceIdentity.guid(hca)).replaceAll("(.{4})(?!$)", "$1:");
    device
        .put("node_type", "1: CA")
        .put("node_guid", guid)
        .put("sys_image_guid", guid)
        .put("fw_ver", identity.firmware())
        .put("board_id", identity.board())
        .put("hca_type", "MT" + identity.part())
        .put("hw_rev", "0");
    PortFolder.describe(device.folder("ports/" + VportContext.PORT), hca, INTERFACE);
    list(place, name);
  }

  /**
   * Adds a device from another tree.
   *
   * @param from the other tree
   * @param known the device's name there
   */
  public void adopt(String name, Path from, String known) throws IOException {
    PciPlace place = PciPlace.free(index);
    Path original = from.resolve("class/infiniband").resolve(known).toRealPath();
    int part = Integer.decode(Files.readString(original.resolve("device/device")).strip());
    TreeFolder device = addPci(place, name, part);
    device.copy(original);
    Path mac = original.resolve("../..").resolve(NETWORK).resolve("address");
    if (Files.exists(mac)) {
      network(place, Files.readString(mac).strip());
    }
    list(place, name);
  }

  private TreeFolder addPci(PciPlace place, String name, int part) throws IOException {
    PciFolder.describePort(tree.folder(place.portFolder()), place);
    TreeFolder bus = tree.folder(place.folder());
    PciFolder.describeDevice(bus, place, part);
    TreeFolder device = bus.folder("infiniband/" + name);
    return device
        .put("node_desc", Files.readString(HOST_NAME).strip() + " " + name)
        .put("uevent", "NAME=" + name)
        .link("device", "../../../" + place.address())
        .link("subsystem", "../../../../../../class/infiniband");
  }

  // The machine's own "lo" has no Ethernet address: link_address.c shows the port's where clients
  // ask for it.
  private void network(PciPlace place, String mac) throws IOException {
    NetworkInterface found = NetworkInterface.getByName(INTERFACE);
    TreeFolder unused =
        tree.folder(place.folder())
            .folder(NETWORK)
            .put("ifindex", Integer.toString(found == null ? 0 : found.getIndex()))
            .put("mtu", Integer.toString(found == null ? 0 : found.getMTU()))
            .put("address", mac)
            .put("operstate", "up")
            .put("type", "1")
            .put("dev_id", "0x0")
            .put("dev_port", "0")
            .link("device", "../../../" + place.address());
    if (index == 0) {
      address = mac;
    }
  }

  /** Adds the links to the device from other folders. */
  private void list(PciPlace place, String name) throws IOException {
    String bus = "../../" + place.folder();
    tree.folder("class/infiniband").link(name, bus + "/infiniband/" + name);
    tree.folder("bus/pci/devices")
        .link(place.address(), "../" + bus)
        .link(place.port(), "../../../" + place.portFolder());
    String file = "uverbs" + index;
    tree.folder(place.folder())
        .folder("infiniband_verbs/" + file)
        .put("ibdev", name)
        .put("dev", MAJOR + ":" + (FIRST_MINOR + index))
        .put("abi_version", "1")
        .putText(
            "uevent",
            "MAJOR=%d\nMINOR=%d\nDEVNAME=infiniband/%s\n"
                .formatted(MAJOR, FIRST_MINOR + index, file))
        .link("device", "../../../" + place.address())
        .link("subsystem", "../../../../../../class/infiniband_verbs");
    tree.folder("class/infiniband_verbs").link(file, bus + "/infiniband_verbs/" + file);
    tree.folder("bus/pci/drivers/mlx5_core").link(place.address(), "../../../../" + place.folder());
    tree.folder("dev/infiniband").putText(file, "");
    index++;
  }

  /** Completes a tree that has all its devices. */
  public void finish() throws IOException {
    tree.folder("class/infiniband_verbs").put("abi_version", "6");
    // In a folder that clients do not list, because "class/net" is the machine's; see paths.c.
    tree.folder("dev/" + NETWORK).put("address", address);
    tree.folder("class/misc/rdma_cm")
        .put("abi_version", Integer.toString(RdmaCm.USER_CM_ABI_VERSION))
        .put("dev", MISC_MAJOR + ":" + MANAGER_MINOR)
        .putText(
            "uevent",
            "MAJOR=%d\nMINOR=%d\nDEVNAME=infiniband/rdma_cm\n".formatted(MISC_MAJOR, MANAGER_MINOR))
        .link("subsystem", "../../misc");
    tree.folder("dev/infiniband").putText("rdma_cm", "");
    MachineLinks.add(tree);
  }
}
