package dev.bluebell.cli.device;

import dev.bluebell.cli.device.Examination.Verdict;
import dev.bluebell.hca.HcaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the requirements of {@code Device.open("mlx5_0")}, and causes that make a card slow. */
final class CardExaminations {
  private static final String PCI = "sys/bus/pci/devices";
  private static final String DEVICES = "sys/class/infiniband";
  private static final String VERBS = "sys/class/infiniband_verbs";
  private static final String MELLANOX = "0x15b3";
  private static final String DRIVER = "mlx5_core";
  private static final String STATUS = "proc/self/status";

  /** Network controllers, Ethernet or InfiniBand: {@code pci_ids.h: PCI_CLASS_NETWORK_*}. */
  private static final Pattern NETWORK_CLASS = Pattern.compile("0x02(00|07|80).*");

  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int OLDEST_MAJOR = 5;
  private static final int OLDEST_MINOR = 10;

  /** {@code capability.h: CAP_NET_RAW, CAP_IPC_LOCK}. */
  private static final int NET_RAW = 13;

  private static final int IPC_LOCK = 14;

  private static final Pattern LOCKED =
      Pattern.compile("(?m)^Max locked memory +(\\S+) +\\S+ +bytes");

  /** With less, only the queues of a few connections can be pinned. */
  private static final long FEW_LOCKED_BYTES = 64L << 20;

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

  /** The mapping of the initial user namespace, which has all user ids. */
  private static final Pattern ALL_USERS = Pattern.compile("0\\s+0\\s+4294967295");

  private final Machine machine;
  private final Consumer<String> opening;
  private final List<Examination> all = new ArrayList<>();

  private CardExaminations(Machine machine, Consumer<String> opening) {
    this.machine = machine;
    this.opening = opening;
  }

  /**
   * A line for each check; one line if the machine has no card.
   *
   * @param opening opens the card of a name and closes it again; throws an {@link HcaException}
   *     with the reason if it can't be opened
   */
  static List<Examination> all(Machine machine, Consumer<String> opening) {
    CardExaminations examinations = new CardExaminations(machine, opening);
    examinations.examine();
    return examinations.all;
  }

  private void good(String subject, String found) {
    all.add(Examination.good(subject, found));
  }

  private void add(String subject, Verdict verdict, String found, String remedy) {
    all.add(new Examination(subject, verdict, found, remedy));
  }

  private void examine() {
    List<String> found = cards();
    List<String> cards = found.stream().filter(card -> !isOld(card)).toList();
    List<String> devices = machine.names(DEVICES);
    boolean looked = machine.has(PCI);
    if (!looked) {
      add("card", Verdict.UNKNOWN, machine.path(PCI) + " can't be read", "Mount /sys.");
    }
    found.stream().filter(this::isOld).forEach(this::oldCard);
    if (cards.isEmpty() && devices.stream().noneMatch(this::isOfMlx5)) {
      if (looked && found.isEmpty()) {
        good("card", "none found; the software ConnectX does not need one");
      }
      devices.forEach(this::device);
      return;
    }
    kernel();
    cards.forEach(this::pci);
    modules();
    devices.forEach(this::device);
    if (devices.isEmpty()) {
      add(
          "RDMA devices",
          Verdict.MISSING,
          "no device in %s".formatted(machine.path(DEVICES)),
          "Load the drivers (modprobe mlx5_core mlx5_ib); dmesg says why if a card does not"
              + " start.");
    }
    lockedMemory();
    rights();
    translation(cards);
    hugePages();
    firmware(cards);
  }

  /** PCI addresses of the cards, those of mlx4 included. */
  private List<String> cards() {
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

  private boolean isOld(String address) {
    return OLD_PARTS.containsKey(part(address)) || pciDriver(address).orElse("").startsWith("mlx4");
  }

  private Optional<String> pciDriver(String address) {
    return machine.target("%s/%s/driver".formatted(PCI, address));
  }

  private void oldCard(String address) {
    String part = part(address);
    add(
        "PCI card",
        Verdict.NOTE,
        "%s %s (%s), which mlx4 drives and Bluebell does not"
            .formatted(address, OLD_PARTS.getOrDefault(part, "an older card"), part),
        "");
  }

  private Optional<String> pciLine(String address, String file) {
    return machine.text("%s/%s/%s".formatted(PCI, address, file));
  }

  private void kernel() {
    String release = machine.text("proc/sys/kernel/osrelease").orElse("unknown");
    Matcher version = VERSION.matcher(release);
    if (!version.matches()) {
      add("kernel", Verdict.UNKNOWN, release, "Bluebell needs Linux 5.10 or later for a card.");
      return;
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    if (major > OLDEST_MAJOR || major == OLDEST_MAJOR && minor >= OLDEST_MINOR) {
      good("kernel", "Linux " + release);
    } else {
      add(
          "kernel",
          Verdict.NOTE,
          "Linux %s; before 5.10, DevX needs privileges or lacks calls, unless the distribution has changed that"
              .formatted(release),
          "If the card can't be opened, use Linux 5.10 or later.");
    }
  }

  private void pci(String address) {
    String part = part(address);
    String name = PARTS.getOrDefault(part, "unknown part");
    Optional<String> driver = pciDriver(address);
    String found = "%s %s (%s), driver %s".formatted(address, name, part, driver.orElse("none"));
    if (driver.isEmpty()) {
      add("PCI card", Verdict.MISSING, found, "Load the driver: modprobe mlx5_core.");
    } else if (!driver.get().startsWith(DRIVER)) {
      add(
          "PCI card",
          Verdict.MISSING,
          found,
          "Bluebell needs mlx5_core: unbind the card from %s (echo %s into its unbind file, then into mlx5_core's bind)."
              .formatted(driver.get(), address));
    } else if (isSlow(address, "link_width") || isSlow(address, "link_speed")) {
      add(
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
      good("PCI card", node.startsWith("-") ? found : "%s, NUMA node %s".formatted(found, node));
    }
  }

  private boolean isSlow(String address, String what) {
    Optional<String> current = pciLine(address, "current_" + what);
    return current.isPresent() && !current.equals(pciLine(address, "max_" + what));
  }

  private void modules() {
    List<String> wanted = List.of("mlx5_core", "mlx5_ib", "ib_uverbs");
    List<String> missing = wanted.stream().filter(module -> !isLoaded(module)).toList();
    if (missing.isEmpty()) {
      good("modules", String.join(", ", wanted));
    } else {
      add(
          "modules",
          Verdict.MISSING,
          "not loaded: " + String.join(", ", missing),
          "modprobe %s. Distributions have them in a package of their own, such as linux-modules-extra or kernel-modules-core."
              .formatted(String.join(" ", missing)));
    }
  }

  /** Whether a module works or is loaded; a built-in module may have no folder. */
  private boolean isLoaded(String module) {
    boolean works =
        module.equals("ib_uverbs")
            ? machine.has(VERBS)
            : machine.names(DEVICES).stream().anyMatch(this::isOfMlx5);
    return works || machine.has("sys/module/" + module);
  }

  private boolean isOfMlx5(String device) {
    return driver(device).startsWith(DRIVER);
  }

  private String driver(String device) {
    return machine.target("%s/%s/device/driver".formatted(DEVICES, device)).orElse("unknown");
  }

  // ---- RDMA devices

  private void device(String name) {
    String folder = "%s/%s".formatted(DEVICES, name);
    String driver = driver(name);
    String identity =
        "firmware %s, board %s"
            .formatted(
                machine.text(folder + "/fw_ver").orElse("unknown"),
                machine.text(folder + "/board_id").orElse("unknown"));
    if (!driver.startsWith(DRIVER)) {
      add(
          name,
          Verdict.NOTE,
          "driver %s, which Bluebell does not use".formatted(driver),
          "Bluebell opens devices of mlx5_core only.");
      return;
    }
    good(name, identity);
    machine.names(folder + "/ports").forEach(port -> port(name, folder + "/ports/" + port, port));
    node(name);
  }

  private void port(String name, String folder, String number) {
    String subject = "%s port %s".formatted(name, number);
    String layer = machine.text(folder + "/link_layer").orElse("unknown");
    String state = machine.text(folder + "/state").orElse("unknown");
    String network = machine.text(folder + "/gid_attrs/ndevs/0").orElse("");
    String found =
        "%s, %s, %s%s"
            .formatted(
                layer,
                state,
                machine.text(folder + "/rate").orElse("unknown rate"),
                network.isEmpty() ? "" : ", network interface " + network);
    boolean ethernet = layer.equals("Ethernet");
    if (!isActive(folder)) {
      add(
          subject,
          isAnyPortActive() ? Verdict.NOTE : Verdict.MISSING,
          found,
          ethernet
              ? "Connect the cable, and bring the interface up: ip link set %s up."
                  .formatted(network.isEmpty() ? "NAME" : network)
              : "Connect the cable, and run a subnet manager on the network (opensm), which makes"
                  + " ports active.");
    } else if (ethernet && !hasIpAddress(folder)) {
      add(
          subject,
          Verdict.NOTE,
          found + ", no IP address",
          "RoCE over IPv4 needs one: ip addr add ADDRESS/24 dev %s."
              .formatted(network.isEmpty() ? "NAME" : network));
    } else {
      good(subject, found);
    }
  }

  private boolean isActive(String port) {
    return machine.text(port + "/state").orElse("").contains("ACTIVE");
  }

  /** Whether Bluebell can use any port; a port without a cable is common. */
  private boolean isAnyPortActive() {
    return machine.names(DEVICES).stream()
        .filter(this::isOfMlx5)
        .map(name -> "%s/%s/ports".formatted(DEVICES, name))
        .anyMatch(
            folder ->
                machine.names(folder).stream().anyMatch(port -> isActive(folder + "/" + port)));
  }

  /** True if a GID has an IP address that is not link-local; link-local ones are always there. */
  private boolean hasIpAddress(String port) {
    return machine.names(port + "/gids").stream()
        .flatMap(index -> machine.text("%s/gids/%s".formatted(port, index)).stream())
        .anyMatch(gid -> !gid.startsWith("fe80:") && !gid.replace(":", "").matches("0*"));
  }

  private void node(String name) {
    String subject = name + " file";
    Optional<String> entry =
        machine.names(VERBS).stream()
            .filter(
                folder ->
                    machine
                        .text("%s/%s/ibdev".formatted(VERBS, folder))
                        .filter(name::equals)
                        .isPresent())
            .findFirst();
    if (entry.isEmpty()) {
      add(
          subject,
          Verdict.MISSING,
          "it has no uverbs device",
          "Load ib_uverbs: modprobe ib_uverbs.");
      return;
    }
    Path node = machine.path("dev/infiniband/" + entry.get());
    if (!Files.exists(node)) {
      add(
          subject,
          Verdict.MISSING,
          node + " does not exist",
          "Pass it into the container: --device=/dev/infiniband.");
    } else if (!Files.isReadable(node) || !Files.isWritable(node)) {
      add(
          subject,
          Verdict.MISSING,
          node + " may not be opened by this user",
          "Its usual mode is 0666: join its group, or add a udev rule.");
    } else {
      good(subject, node.toString());
      devx(name);
    }
  }

  private void devx(String name) {
    String subject = name + " DevX";
    try {
      opening.accept(name);
      good(subject, "the kernel opened a DevX context");
    } catch (HcaException refused) {
      add(subject, Verdict.MISSING, String.valueOf(refused.getMessage()), "");
    }
  }

  // ---- this process

  private void lockedMemory() {
    String subject = "locked memory";
    Matcher limit = LOCKED.matcher(machine.text("proc/self/limits").orElse(""));
    if (!limit.find()) {
      add(subject, Verdict.UNKNOWN, "the limit can't be read", "ulimit -l prints it.");
    } else if (limit.group(1).equals("unlimited")) {
      good(subject, "no limit");
    } else {
      long bytes = Long.parseLong(limit.group(1));
      String found = "up to %,d KiB a process".formatted(bytes >> 10);
      boolean lifted = has(IPC_LOCK) && isOfInitialNamespace();
      if (bytes >= FEW_LOCKED_BYTES || lifted) {
        good(subject, lifted ? found + ", but CAP_IPC_LOCK lifts it" : found);
      } else {
        add(
            subject,
            Verdict.MISSING,
            found,
            "A card pins queues and regions: raise it (limits.conf: USER - memlock unlimited;"
                + " systemd: LimitMEMLOCK=infinity; docker: --ulimit memlock=-1).");
      }
    }
  }

  /** Capabilities of other user namespaces, as in rootless containers, lift no limit. */
  private boolean isOfInitialNamespace() {
    return machine
        .text("proc/self/uid_map")
        .map(text -> ALL_USERS.matcher(text).matches())
        .orElse(true);
  }

  private boolean has(int capability) {
    return machine
        .value(STATUS, "CapEff")
        .map(bits -> (Long.parseUnsignedLong(bits, 16) >>> capability & 1) != 0)
        .orElse(false);
  }

  private void rights() {
    String subject = "rights";
    if (machine.value(STATUS, "CapEff").isEmpty()) {
      add(subject, Verdict.UNKNOWN, "the process's capabilities can't be read", "");
      return;
    }
    good(
        subject,
        "CAP_NET_RAW %s, CAP_IPC_LOCK %s; Bluebell needs neither, if memory may be locked"
            .formatted(has(NET_RAW) ? "yes" : "no", has(IPC_LOCK) ? "yes" : "no"));
  }

  // ---- the machine

  private void translation(List<String> cards) {
    List<String> types =
        cards.stream()
            .flatMap(card -> pciLine(card, "iommu_group/type").stream())
            .distinct()
            .toList();
    if (types.isEmpty()) {
      boolean behind =
          cards.stream().anyMatch(card -> machine.has("%s/%s/iommu_group".formatted(PCI, card)));
      if (cards.isEmpty() || behind) {
        add("IOMMU", Verdict.UNKNOWN, "no file that this process may read shows it", "");
      } else {
        good("IOMMU", "the card is not behind an IOMMU");
      }
    } else if (types.stream().allMatch("identity"::equals)) {
      good("IOMMU", "passes the card's addresses through");
    } else {
      add(
          "IOMMU",
          Verdict.NOTE,
          "translates the card's addresses (%s)".formatted(String.join(", ", types)),
          "Everything works. For the highest rates, boot with iommu=pt.");
    }
  }

  private void hugePages() {
    String total = machine.value("proc/meminfo", "HugePages_Total").orElse("0");
    String transparent =
        machine
            .text("sys/kernel/mm/transparent_hugepage/enabled")
            .map(text -> text.replaceAll(".*\\[(\\w+)].*", "$1"))
            .orElse("unknown");
    good(
        "huge pages",
        "%s reserved, transparent ones: %s; not needed".formatted(total, transparent));
  }

  /** Reports settings in the card's flash, which the kernel shows in no file. */
  private void firmware(List<String> cards) {
    if (!cards.isEmpty()) {
      add(
          "firmware settings",
          Verdict.UNKNOWN,
          "the kernel does not show UCTX_EN (DevX), LINK_TYPE_P1 and CQE_COMPRESSION",
          "If DevX is missing above, query them with: mstconfig -d %s query (package mstflint)."
              .formatted(cards.getFirst()));
    }
  }
}
