package dev.bluebell.cli.device;

import dev.bluebell.cli.device.Examination.Verdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Examines whether cards can reach the memory of GPUs, if the machine has any. */
record GpuAccess(Machine machine) {
  private static final String PCI = "sys/bus/pci/devices/";

  private static final String NVIDIA = "0x10de";
  private static final String AMD = "0x1002";

  /** {@code pci_ids.h: PCI_BASE_CLASS_DISPLAY}. */
  private static final String DISPLAY = "0x03";

  /** {@code pci_ids.h: PCI_CLASS_ACCELERATOR_PROCESSING}, which AMD's accelerators have. */
  private static final String ACCELERATOR = "0x12";

  private static final Pattern ADDRESS =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  /** Linux gives so many bytes of a configuration space to users other than root. */
  private static final int READABLE_BY_ALL = 64;

  /** Extended capabilities begin here. Conventional PCI bridges have none. */
  private static final int EXTENDED = 0x100;

  private static final int CONFIG_BYTES = 4096;

  /** {@code pci_regs.h: PCI_EXT_CAP_ID_ACS, PCI_ACS_CTRL, PCI_ACS_RR}. */
  private static final int ACS = 0x0d;

  private static final int ACS_CONTROL = 6;
  private static final int REQUEST_REDIRECT = 0x04;

  /**
   * A line for each check that applies; none without a GPU or without a card.
   *
   * @param cards PCI addresses
   */
  List<Examination> all(List<String> cards) {
    List<Examination> all = new ArrayList<>();
    boolean isNvidia = hasGpu(NVIDIA);
    if (!cards.isEmpty() && (isNvidia || hasGpu(AMD))) {
      all.add(redirection(cards));
      // The driver of AMD's GPUs offers their memory without another module.
      if (isNvidia) {
        all.add(peerMemory());
      }
    }
    return all;
  }

  private boolean hasGpu(String vendor) {
    return machine.names(PCI).stream()
        .filter(address -> machine.text(PCI + address + "/vendor").orElse("").equals(vendor))
        .map(address -> machine.text(PCI + address + "/class").orElse(""))
        .anyMatch(type -> type.startsWith(DISPLAY) || type.startsWith(ACCELERATOR));
  }

  private Examination redirection(List<String> cards) {
    List<String> redirecting = new ArrayList<>();
    boolean isReadable = true;
    for (String bridge :
        cards.stream().flatMap(card -> bridges(card).stream()).distinct().toList()) {
      byte[] config = machine.bytes(PCI + bridge + "/config");
      isReadable &= config.length > READABLE_BY_ALL;
      if ((acsControl(config) & REQUEST_REDIRECT) != 0) {
        redirecting.add(bridge);
      }
    }
    if (!redirecting.isEmpty()) {
      return new Examination(
          "PCIe ACS",
          Verdict.NOTE,
          "redirects requests at %s".formatted(String.join(", ", redirecting)),
          "If requests with GPU memory fail, disable ACS:"
              + " docs/card-failures.md#memory-that-the-card-cannot-reach.");
    }
    return isReadable
        ? Examination.good("PCIe ACS", "redirects no requests of the cards")
        : new Examination(
            "PCIe ACS", Verdict.UNKNOWN, "only root may read it", "Run doctor as root to see it.");
  }

  /** PCI addresses of the bridges above a device. */
  private List<String> bridges(String address) {
    List<String> bridges = new ArrayList<>();
    for (Path each : machine.real(PCI + address)) {
      String name = each.toString();
      if (ADDRESS.matcher(name).matches() && !name.equals(address)) {
        bridges.add(name);
      }
    }
    return bridges;
  }

  /** The control register of ACS in a configuration space; 0 without it. */
  private static int acsControl(byte[] config) {
    ByteBuffer space = ByteBuffer.wrap(config).order(ByteOrder.LITTLE_ENDIAN);
    int at = EXTENDED;
    // Offsets may form a ring in a broken space: each capability takes 4 bytes or more.
    for (int steps = 0; steps < CONFIG_BYTES / 4; steps++) {
      if (at < EXTENDED || at + ACS_CONTROL + Short.BYTES > config.length) {
        return 0;
      }
      int header = space.getInt(at);
      if ((header & 0xffff) == ACS) {
        return space.getShort(at + ACS_CONTROL);
      }
      at = header >>> 20;
    }
    return 0;
  }

  private Examination peerMemory() {
    return machine.has("sys/module/nvidia_peermem") || machine.has("sys/module/nv_peer_mem")
        ? Examination.good("GPU memory", "nvidia_peermem is loaded")
        : new Examination(
            "GPU memory",
            Verdict.NOTE,
            "nvidia_peermem is not loaded",
            "To register memory of an NVIDIA GPU other than as a DMA-BUF: modprobe"
                + " nvidia-peermem.");
  }
}
