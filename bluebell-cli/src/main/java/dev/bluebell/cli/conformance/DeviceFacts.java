package dev.bluebell.cli.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.FabricLine;
import dev.bluebell.cli.device.CapabilityDump;
import dev.bluebell.cli.device.Machine;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.HcaPort;

/**
 * The device and the machine, for a report. These facts name no Ethernet addresses, GIDs, GUIDs or
 * hosts; the value of {@code --device} may name a path or an IP address.
 *
 * @param name the value of {@code --device}
 * @param identity part, firmware and board
 * @param driver driver of the kernel, with its version if it has one, or {@code software}
 * @param port the first port
 * @param ports number of ports
 * @param loses true when the fabric of a software device loses packets
 * @param capabilities as the firmware answers
 */
record DeviceFacts(
    String name,
    HcaIdentity identity,
    String driver,
    HcaPort port,
    int ports,
    boolean loses,
    CapabilityDump capabilities) {
  /** Prefix of the boards of software devices; no hardware has it. */
  private static final String SOFTWARE_BOARDS = "BLUEBELL_";

  private static final String DEVICES = "sys/class/infiniband/";
  private static final String MODULE_VERSION = "sys/module/mlx5_core/version";

  static DeviceFacts of(String name, Hca hca) {
    CapabilityDump capabilities = CapabilityDump.of(hca);
    return new DeviceFacts(
        name,
        hca.identity(),
        driver(name, hca.identity()),
        hca.queryPort(1),
        capabilities.numbers().getOrDefault("cmd_hca_cap.num_ports", 1L).intValue(),
        FabricLine.isLossy(hca.diagnosis()),
        capabilities);
  }

  private static String driver(String name, HcaIdentity identity) {
    if (!Machine.OWN.has(DEVICES + name)) {
      return "software";
    }
    if (identity.board().startsWith(SOFTWARE_BOARDS)) {
      return "mlx5_core, as 'bluebell run' shows it for a software device";
    }
    // Drivers of the kernel itself have no version of their own.
    return Machine.OWN
        .text(MODULE_VERSION)
        .map("mlx5_core "::concat)
        .orElse("mlx5_core of the kernel");
  }

  /** Two lines of text. */
  String text() {
    return "%s: part %d, firmware %s, board %s, driver: %s%nport 1 of %d: %s, %s, path MTU %d"
        .formatted(
            name,
            identity.part(),
            identity.firmware(),
            identity.board(),
            driver,
            ports,
            port.linkLayer(),
            port.active() ? "active" : "DOWN",
            port.activeMtu());
  }

  void addTo(ObjectNode report) {
    report
        .putObject("machine")
        .put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .put("architecture", System.getProperty("os.arch"))
        .put("java", Runtime.version().toString())
        .put("processors", Runtime.getRuntime().availableProcessors());
    ObjectNode device =
        report
            .putObject("device")
            .put("name", name)
            .put("part", identity.part())
            .put("firmware", identity.firmware())
            .put("board", identity.board())
            .put("driver", driver);
    ArrayNode list = device.putArray("ports");
    list.add(
        JsonLines.object()
            .put("number", port.number())
            .put("link_layer", port.linkLayer().toString())
            .put("active", port.active())
            .put("active_mtu", port.activeMtu())
            .put("max_mtu", port.maxMtu())
            .put("mbps", port.speedMbps()));
    device.put("port_count", ports);
    device.set("capabilities", capabilities.toJson());
  }
}
