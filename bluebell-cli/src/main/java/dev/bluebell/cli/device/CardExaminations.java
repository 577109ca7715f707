package dev.bluebell.cli.device;

import dev.bluebell.cli.device.Examination.Verdict;
import dev.bluebell.hca.HcaException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the requirements of {@code Device.open("mlx5_0")}, and causes that make a card slow. */
final class CardExaminations {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int OLDEST_MAJOR = 5;
  private static final int OLDEST_MINOR = 10;

  private CardExaminations() {}

  /**
   * A line for each check; one line if the machine has no card.
   *
   * @param opening opens the card of a name and closes it again; throws an {@link HcaException}
   *     with the reason if it can't be opened
   */
  static List<Examination> all(Machine machine, Consumer<String> opening) {
    PciCards pci = new PciCards(machine);
    RdmaDevices rdma = new RdmaDevices(machine, opening);
    List<Examination> all = new ArrayList<>();
    List<String> found = pci.addresses();
    List<String> cards = found.stream().filter(card -> !pci.isOld(card)).toList();
    List<String> devices = rdma.names();
    boolean looked = pci.isReadable();
    if (!looked) {
      all.add(
          new Examination("card", Verdict.UNKNOWN, pci.folder() + " can't be read", "Mount /sys."));
    }
    found.stream().filter(pci::isOld).map(pci::examineOld).forEach(all::add);
    if (cards.isEmpty() && devices.stream().noneMatch(rdma::isOfMlx5)) {
      if (looked && found.isEmpty()) {
        all.add(Examination.good("card", "none found; the software ConnectX does not need one"));
      }
      devices.forEach(device -> all.addAll(rdma.examine(device)));
      return all;
    }
    all.add(kernel(machine));
    cards.forEach(card -> all.add(pci.examine(card)));
    all.add(modules(machine, rdma));
    devices.forEach(device -> all.addAll(rdma.examine(device)));
    if (devices.isEmpty()) {
      all.add(
          new Examination(
              "RDMA devices",
              Verdict.MISSING,
              "no device in %s".formatted(rdma.folder()),
              "Load the drivers (modprobe mlx5_core mlx5_ib); dmesg says why if a card does not"
                  + " start."));
    }
    ProcessLimits limits = new ProcessLimits(machine);
    all.add(limits.lockedMemory());
    all.add(limits.rights());
    all.add(pci.translation(cards));
    all.addAll(new GpuAccess(machine).all(cards));
    all.add(hugePages(machine));
    if (!cards.isEmpty()) {
      all.add(firmware(cards.getFirst()));
    }
    return all;
  }

  private static Examination kernel(Machine machine) {
    String release = machine.text("proc/sys/kernel/osrelease").orElse("unknown");
    Matcher version = VERSION.matcher(release);
    if (!version.matches()) {
      return new Examination(
          "kernel", Verdict.UNKNOWN, release, "Bluebell needs Linux 5.10 or later for a card.");
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    if (major > OLDEST_MAJOR || major == OLDEST_MAJOR && minor >= OLDEST_MINOR) {
      return Examination.good("kernel", "Linux " + release);
    } else {
      return new Examination(
          "kernel",
          Verdict.NOTE,
          "Linux %s; before 5.10, DevX needs privileges or lacks calls, unless the distribution has changed that"
              .formatted(release),
          "If the card can't be opened, use Linux 5.10 or later.");
    }
  }

  private static Examination modules(Machine machine, RdmaDevices rdma) {
    List<String> wanted = List.of("mlx5_core", "mlx5_ib", "ib_uverbs");
    List<String> missing =
        wanted.stream().filter(module -> !isLoaded(machine, rdma, module)).toList();
    if (missing.isEmpty()) {
      return Examination.good("modules", String.join(", ", wanted));
    } else {
      return new Examination(
          "modules",
          Verdict.MISSING,
          "not loaded: " + String.join(", ", missing),
          "modprobe %s. Distributions have them in a package of their own, such as linux-modules-extra or kernel-modules-core."
              .formatted(String.join(" ", missing)));
    }
  }

  /** Whether a module works or is loaded; a built-in module may have no folder. */
  private static boolean isLoaded(Machine machine, RdmaDevices rdma, String module) {
    boolean works =
        module.equals("ib_uverbs")
            ? rdma.hasVerbs()
            : rdma.names().stream().anyMatch(rdma::isOfMlx5);
    return works || machine.has("sys/module/" + module);
  }

  private static Examination hugePages(Machine machine) {
    String total = machine.value("proc/meminfo", "HugePages_Total").orElse("0");
    String transparent =
        machine
            .text("sys/kernel/mm/transparent_hugepage/enabled")
            .map(text -> text.replaceAll(".*\\[(\\w+)].*", "$1"))
            .orElse("unknown");
    return Examination.good(
        "huge pages",
        "%s reserved, transparent ones: %s; not needed".formatted(total, transparent));
  }

  /** Names settings in the card's flash, which the kernel shows in no file. */
  private static Examination firmware(String card) {
    return new Examination(
        "firmware settings",
        Verdict.UNKNOWN,
        "the kernel does not show UCTX_EN (DevX), LINK_TYPE_P1 and CQE_COMPRESSION",
        "If DevX is missing above, query them with: mstconfig -d %s query (package mstflint)."
            .formatted(card));
  }
}
