package dev.bluebell.cli.device;

import dev.bluebell.cli.device.Examination.Verdict;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Examines the RDMA devices of a machine.
 *
 * @param opening opens the device of a name and closes it again; throws an {@link HcaException}
 *     with the reason if it can't be opened
 */
record RdmaDevices(Machine machine, Consumer<String> opening) {
  static final String DRIVER = "mlx5_core";

  private static final String DEVICES = "sys/class/infiniband";

  /** A port may have a GID for each of many addresses. */
  private static final int MAX_GIDS = 4;

  private static final String VERBS = "sys/class/infiniband_verbs";

  List<String> names() {
    return machine.names(DEVICES);
  }

  /** The folder that lists the devices. */
  Path folder() {
    return machine.path(DEVICES);
  }

  /** Whether the kernel has the interface of verbs. */
  boolean hasVerbs() {
    return machine.has(VERBS);
  }

  boolean isOfMlx5(String device) {
    return driver(device).startsWith(DRIVER);
  }

  private String driver(String device) {
    return machine.target("%s/%s/device/driver".formatted(DEVICES, device)).orElse("unknown");
  }

  /** Examines a device: its identity, its ports, its device file and DevX. */
  List<Examination> examine(String name) {
    String folder = "%s/%s".formatted(DEVICES, name);
    String driver = driver(name);
    String identity =
        "firmware %s, board %s"
            .formatted(
                machine.text(folder + "/fw_ver").orElse("unknown"),
                machine.text(folder + "/board_id").orElse("unknown"));
    if (!driver.startsWith(DRIVER)) {
      return List.of(
          new Examination(
              name,
              Verdict.NOTE,
              "driver %s, which Bluebell does not use".formatted(driver),
              "Bluebell opens devices of mlx5_core only."));
    }
    List<Examination> all = new ArrayList<>();
    all.add(Examination.good(name, identity));
    for (String port : machine.names(folder + "/ports")) {
      all.add(port(name, folder + "/ports/" + port, port));
    }
    Examination node = node(name);
    all.add(node);
    if (node.verdict() == Verdict.GOOD) {
      all.add(devx(name));
    }
    return all;
  }

  private Examination port(String name, String folder, String number) {
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
                    network.isEmpty() ? "" : ", network interface " + network)
            + roceGids(folder);
    boolean ethernet = layer.equals("Ethernet");
    if (!isActive(folder)) {
      return new Examination(
          subject,
          isAnyPortActive() ? Verdict.NOTE : Verdict.MISSING,
          found,
          ethernet
              ? "Connect the cable, and bring the interface up: ip link set %s up."
                  .formatted(network.isEmpty() ? "NAME" : network)
              : "Connect the cable, and run a subnet manager on the network (opensm), which makes"
                  + " ports active.");
    } else if (ethernet && !hasIpAddress(folder)) {
      return new Examination(
          subject,
          Verdict.NOTE,
          found + ", no IP address",
          "RoCE over IPv4 needs one: ip addr add ADDRESS/24 dev %s."
              .formatted(network.isEmpty() ? "NAME" : network));
    } else {
      return Examination.good(subject, found);
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
    return machine.names(port + "/gids").stream().anyMatch(index -> isIpAddress(port, index));
  }

  private boolean isIpAddress(String port, String index) {
    String gid = gid(port, index);
    return !gid.startsWith("fe80:") && !gid.replace(":", "").matches("0*");
  }

  private String gid(String port, String index) {
    return machine.text("%s/gids/%s".formatted(port, index)).orElse("");
  }

  /** The GIDs of RoCE v2 with an IP address, as peers need them: index and address. */
  private String roceGids(String port) {
    List<String> gids =
        machine.names(port + "/gids").stream()
            .filter(index -> isIpAddress(port, index))
            .filter(
                index ->
                    machine
                        .text("%s/gid_attrs/types/%s".formatted(port, index))
                        .filter("RoCE v2"::equals)
                        .isPresent())
            .limit(MAX_GIDS)
            .map(index -> "%s (%s)".formatted(index, Ipv6Text.of(Gid.parse(gid(port, index)))))
            .toList();
    return gids.isEmpty() ? "" : ", RoCE v2 GIDs " + String.join(", ", gids);
  }

  private Examination node(String name) {
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
      return new Examination(
          subject,
          Verdict.MISSING,
          "it has no uverbs device",
          "Load ib_uverbs: modprobe ib_uverbs.");
    }
    Path node = machine.path("dev/infiniband/" + entry.get());
    if (!Files.exists(node)) {
      return new Examination(
          subject,
          Verdict.MISSING,
          node + " does not exist",
          "Pass it into the container: --device=/dev/infiniband.");
    } else if (!Files.isReadable(node) || !Files.isWritable(node)) {
      return new Examination(
          subject,
          Verdict.MISSING,
          node + " may not be opened by this user",
          "Its usual mode is 0666: join its group, or add a udev rule.");
    } else {
      return Examination.good(subject, node.toString());
    }
  }

  private Examination devx(String name) {
    String subject = name + " DevX";
    try {
      opening.accept(name);
      return Examination.good(subject, "the kernel opened a DevX context");
    } catch (HcaException refused) {
      return new Examination(subject, Verdict.MISSING, String.valueOf(refused.getMessage()), "");
    }
  }
}
