package dev.bluebell.uverbs.tree;

import dev.bluebell.uverbs.device.DeviceIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/** Writes the sysfs folders of a PCI device and of the PCI port above it. */
final class PciFolder {
  private static final Path PROCESSORS = Path.of("/sys/devices/system/cpu/online");

  /** {@code pci_ids.h: PCI_CLASS_NETWORK_ETHERNET, PCI_CLASS_BRIDGE_PCI}, with their interfaces. */
  private static final int ETHERNET = 0x020000;

  private static final int BRIDGE = 0x060400;
  private static final int BRIDGE_VENDOR = 0x8086;
  private static final int BRIDGE_DEVICE = 0x352a;

  /** Relative to the folder of a port, and to that of a device behind it. */
  private static final String BUS_OF_PORT = "../../../bus/pci";

  private static final String BUS = "../" + BUS_OF_PORT;

  private static final int REGIONS = 13;
  private static final int WORD_BITS = 32;

  private PciFolder() {}

  static void describeDevice(TreeFolder folder, PciPlace place, int part) throws IOException {
    int vendor = DeviceIdentity.PCI_VENDOR;
    describe(folder, place.address(), vendor, part, vendor, ETHERNET, "mlx5_core");
    folder.link("driver", BUS + "/drivers/mlx5_core").link("subsystem", BUS);
    folder.put("sriov_numvfs", "0").put("sriov_totalvfs", "0");
  }

  static void describePort(TreeFolder folder, PciPlace place) throws IOException {
    describe(folder, place.port(), BRIDGE_VENDOR, BRIDGE_DEVICE, 0, BRIDGE, "pcieport");
    folder.link("subsystem", BUS_OF_PORT);
  }

  private static void describe(
      TreeFolder folder,
      String address,
      int vendor,
      int device,
      int subsystem,
      int type,
      String driver)
      throws IOException {
    String modalias =
        "pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X"
            .formatted(vendor, device, subsystem, 0, type >>> 16, type >>> 8 & 0xff, type & 0xff);
    folder
        .put("vendor", "0x%04x".formatted(vendor))
        .put("device", "0x%04x".formatted(device))
        .put("subsystem_vendor", "0x%04x".formatted(subsystem))
        .put("subsystem_device", "0x0000")
        .put("class", "0x%06x".formatted(type))
        .put("revision", "0x00")
        .put("irq", "0")
        .put("enable", "1")
        .put("modalias", modalias)
        .putText(
            "uevent",
            """
            DRIVER=%s
            PCI_CLASS=%X
            PCI_ID=%04X:%04X
            PCI_SUBSYS_ID=%04X:0000
            PCI_SLOT_NAME=%s
            MODALIAS=%s
            """
                .formatted(driver, type, vendor, device, subsystem, address, modalias))
        .putText("resource", ("0x%016x 0x%016x 0x%016x\n".formatted(0, 0, 0)).repeat(REGIONS));
    for (String which : new String[] {"max", "current"}) {
      folder.put(which + "_link_speed", "32.0 GT/s PCIe").put(which + "_link_width", "16");
    }
    // Software runs on every processor, so the device is local to all.
    String processors = Files.exists(PROCESSORS) ? Files.readString(PROCESSORS).strip() : "0";
    folder
        .put("numa_node", "-1")
        .put("local_cpulist", processors)
        .put("local_cpus", mask(processors));
  }

  /** Converts a processor list such as {@code 0-3,8} to the kernel's mask format. */
  static String mask(String list) {
    BitSet bits = new BitSet();
    for (String range : list.split(",")) {
      String[] ends = range.split("-");
      bits.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
    }
    StringBuilder mask = new StringBuilder();
    for (int word = (bits.length() - 1) / WORD_BITS; word >= 0; word--) {
      long[] value = bits.get(word * WORD_BITS, (word + 1) * WORD_BITS).toLongArray();
      long digits = value.length == 0 ? 0 : value[0];
      mask.append(mask.isEmpty() ? "%x".formatted(digits) : ",%08x".formatted(digits));
    }
    return mask.toString();
  }
}
