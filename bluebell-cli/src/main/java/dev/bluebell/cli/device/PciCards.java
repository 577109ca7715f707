package dev.bluebell.cli.device;

import dev.bluebell.cli.device.Examination.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Examines the network cards of NVIDIA on the PCI bus of a machine. */
record PciCards(Machine machine) {
  private static final String PCI = "sys/bus/pci/devices";
  private static final String MELLANOX = "0x15b3";

  /** Network controllers, Ethernet or InfiniBand: {@code pci_ids.h: PCI_CLASS_NETWORK_*}. */
  private static final Pattern NETWORK_CLASS = Pattern.compile("0x02(00|07|80).*");

  /** {@code mlx5_core main.c: mlx5_core_pci_table}. */
  private static final Map<String, String> PARTS =
      Map.ofEntries(
          Map.entry("0x1011", "Connect-IB"),
          Map.entry("0x1012", "virtual function of a Connect-IB"),
          Map.entry("0x1013", "ConnectX-4"),
          Map.entry("0x1014", "virtual function of a ConnectX-4"),
          Map.entry("0x1015", "ConnectX-4 Lx"),
          Map.entry("0x1016", "virtual function of a ConnectX-4 Lx"),
          Map.entry("0x1017", "ConnectX-5"),
          Map.entry("0x1018", "virtual function of a ConnectX-5"),
          Map.entry("0x1019", "ConnectX-5 Ex"),
          Map.entry("0x101a", "virtual function of a ConnectX-5 Ex"),
          Map.entry("0x101b", "ConnectX-6"),
          Map.entry("0x101c", "virtual function of a ConnectX-6"),
          Map.entry("0x101d", "ConnectX-6 Dx"),
          Map.entry("0x101e", "virtual function of a ConnectX"),
          Map.entry("0x101f", "ConnectX-6 Lx"),
          Map.entry("0x1021", "ConnectX-7"),
          Map.entry("0x1023", "ConnectX-8"),
          Map.entry("0x1025", "ConnectX-9"),
          Map.entry("0x1027", "ConnectX-10"),
          Map.entry("0x2101", "ConnectX-10 NVLink-C2C"),
          Map.entry("0xa2d2", "BlueField"),
          Map.entry("0xa2d3", "virtual function of a BlueField"),
          Map.entry("0xa2d6", "BlueField-2"),
          Map.entry("0xa2dc", "BlueField-3"),
          Map.entry("0xa2df", "BlueField-4"));

  /** The parts of {@code mlx4 main.c: mlx4_pci_table} still in use; mlx5_core can't drive them. */
  private static final Map<String, String> OLD_PARTS =
      Map.of(
          "0x1003", "ConnectX-3",
          "0x1004", "virtual function of a ConnectX-3",
          "0x1007", "ConnectX-3 Pro");

  /** False if the kernel's list of PCI devices can't be read. */
  boolean isReadable() {
    return machine.has(PCI);
  }

  /** The folder that lists the PCI devices. */
  Path folder() {
    return machine.path(PCI);
  }

  /** PCI addresses of the cards, those of mlx4 included. */
  List<String> addresses() {
    return machine.names(PCI).stream()
        .filter(
            address ->
                MELLANOX.equals(pciLine(address, "vendor").orElse(""))
                    && NETWORK_CLASS.matcher(pciLine(address, "class").orElse("")).matches())
        .toList();
  }

  private String part(String address) {
    return pciLine(address, "device").orElse("unknown");
  }

  boolean isOld(String address) {
    return OLD_PARTS.containsKey(part(address)) || pciDriver(address).orElse("").startsWith("mlx4");
  }

  private Optional<String> pciDriver(String address) {
    return machine.target("%s/%s/driver".formatted(PCI, address));
  }

  private Optional<String> pciLine(String address, String file) {
    return machine.text("%s/%s/%s".formatted(PCI, address, file));
  }

  /** Examines a card that mlx4 drives. */
  Examination examineOld(String address) {
    String part = part(address);
    return new Examination(
        "PCI card",
        Verdict.NOTE,
        "%s %s (%s), which mlx4 drives and Bluebell does not"
            .formatted(address, OLD_PARTS.getOrDefault(part, "an older card"), part),
        "");
  }

  /** Examines another card: its driver and its link. */
  Examination examine(String address) {
    String part = part(address);
    String name = PARTS.getOrDefault(part, "unknown part");
    Optional<String> driver = pciDriver(address);
    String found = "%s %s (%s), driver %s".formatted(address, name, part, driver.orElse("none"));
    if (driver.isEmpty()) {
      return new Examination(
          "PCI card", Verdict.MISSING, found, "Load the driver: modprobe mlx5_core.");
    } else if (!driver.get().startsWith(RdmaDevices.DRIVER)) {
      return new Examination(
          "PCI card",
          Verdict.MISSING,
          found,
          "Bluebell needs mlx5_core: unbind the card from %s (echo %s into its unbind file, then into mlx5_core's bind)."
              .formatted(driver.get(), address));
    } else if (isSlow(address, "link_width") || isSlow(address, "link_speed")) {
      return new Examination(
          "PCI card",
          Verdict.NOTE,
          "%s, PCI link x%s at %s of x%s at %s"
              .formatted(
                  found,
                  pciLine(address, "current_link_width").orElse("?"),
                  pciLine(address, "current_link_speed").orElse("?"),
                  pciLine(address, "max_link_width").orElse("?"),
                  pciLine(address, "max_link_speed").orElse("?")),
          "If rates are too low, put the card into a slot with all lanes.");
    } else {
      String node = pciLine(address, "numa_node").orElse("-1");
      return Examination.good(
          "PCI card", node.startsWith("-") ? found : "%s, NUMA node %s".formatted(found, node));
    }
  }

  private boolean isSlow(String address, String what) {
    Optional<String> current = pciLine(address, "current_" + what);
    return current.isPresent() && !current.equals(pciLine(address, "max_" + what));
  }

  /** Examines whether the IOMMU translates the addresses of cards. */
  Examination translation(List<String> cards) {
    List<String> types =
        cards.stream()
            .flatMap(card -> pciLine(card, "iommu_group/type").stream())
            .distinct()
            .toList();
    if (types.isEmpty()) {
      boolean behind =
          cards.stream().anyMatch(card -> machine.has("%s/%s/iommu_group".formatted(PCI, card)));
      if (cards.isEmpty() || behind) {
        return new Examination(
            "IOMMU", Verdict.UNKNOWN, "no file that this process may read shows it", "");
      } else {
        return Examination.good("IOMMU", "the card is not behind an IOMMU");
      }
    } else if (types.stream().allMatch("identity"::equals)) {
      return Examination.good("IOMMU", "passes the card's addresses through");
    } else {
      return new Examination(
          "IOMMU",
          Verdict.NOTE,
          "translates the card's addresses (%s)".formatted(String.join(", ", types)),
          "Everything works. For the highest rates, boot with iommu=pt.");
    }
  }
}
