package dev.bluebell.devx;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds RDMA devices in sysfs, as {@code libibverbs init.c: find_sysfs_devs} does. Names come from
 * udev's rules ({@code kernel-boot rdma_rename.c}) and are not stable.
 *
 * @param classes {@code /sys/class}
 * @param nodes {@code /dev/infiniband}
 */
record Sysfs(Path classes, Path nodes) {
  private static final String DRIVER = "mlx5_core";
  private static final String MELLANOX = "0x15b3";

  /** {@code mlx5_ib main.c: uverbs_abi_ver}. */
  private static final String ABI_VERSION = "1";

  static Sysfs ofMachine() {
    return new Sysfs(Path.of("/sys/class"), Path.of("/dev/infiniband"));
  }

  private Path folder() {
    return classes.resolve("infiniband_verbs");
  }

  /** Names of the mlx5 driver's devices whose device file exists. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (Path entry : entries()) {
      Optional<String> name = line(entry.resolve("ibdev"));
      if (name.isPresent() && whyNot(entry).isEmpty() && Files.exists(node(entry))) {
        names.add(name.get());
      }
    }
    return names;
  }

  /** True when sysfs has a device with a name, of any driver. */
  boolean lists(String name) {
    return entry(name).isPresent();
  }

  /**
   * Finds a device.
   *
   * @throws HcaException when there is none, or Bluebell can't use it; the message says what is
   *     missing
   */
  UverbsDevice find(String name) {
    Refusals refusals = new Refusals(name);
    Path entry = entry(name).orElseThrow(() -> refusals.unavailable(whyMissing()));
    Optional<String> why = whyNot(entry);
    if (why.isPresent()) {
      throw refusals.unavailable(why.get());
    }
    Path device = classes.resolve("infiniband").resolve(name);
    return new UverbsDevice(name, node(entry), device.resolve("ports/1"), identity(entry, device));
  }

  private static HcaIdentity identity(Path entry, Path device) {
    return new HcaIdentity(
        number(entry.resolve("device/device")).orElse(0L).intValue(),
        line(device.resolve("fw_ver")).orElse("0.0.0000"),
        line(device.resolve("board_id")).orElse("unknown"));
  }

  private String whyMissing() {
    if (!Files.isDirectory(folder())) {
      return "this machine has no %s, so the kernel's RDMA modules are not loaded or there is no card (modprobe mlx5_ib loads them); the software device 'soft' works without a card"
          .formatted(folder());
    }
    List<String> names = names();
    return names.isEmpty()
        ? "sysfs lists no ConnectX: there is no card, or mlx5_ib is not loaded (modprobe mlx5_ib);"
            + " the software device 'soft' works without a card"
        : "sysfs lists no device of this name; this machine has " + String.join(", ", names);
  }

  /** The reason why Bluebell can't use a device that sysfs lists; empty when it can. */
  private static Optional<String> whyNot(Path entry) {
    Path device = entry.resolve("device");
    String vendor = line(device.resolve("vendor")).orElse("unknown");
    String driver = driver(device).orElse("unknown");
    // A sub-function has no vendor ID of its own, but has the driver.
    if (!driver.startsWith(DRIVER) && !vendor.equals(MELLANOX)) {
      return Optional.of(
          "its kernel driver is %s, but Bluebell supports only that of ConnectX (mlx5_core)"
              .formatted(driver));
    }
    String version = line(entry.resolve("abi_version")).orElse("unknown");
    return version.equals(ABI_VERSION)
        ? Optional.empty()
        : Optional.of(
            "its kernel driver has ABI version %s, but Bluebell supports version %s"
                .formatted(version, ABI_VERSION));
  }

  private static Optional<String> driver(Path device) {
    try {
      return Optional.ofNullable(Files.readSymbolicLink(device.resolve("driver")).getFileName())
          .map(Path::toString);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Path node(Path entry) {
    return nodes.resolve(entry.getFileName());
  }

  private Optional<Path> entry(String name) {
    return entries().stream()
        .filter(entry -> line(entry.resolve("ibdev")).filter(name::equals).isPresent())
        .findFirst();
  }

  /** The folders uverbsN, in the order of their numbers. */
  private List<Path> entries() {
    try (Stream<Path> all = Files.list(folder())) {
      return all.filter(entry -> entry.getFileName().toString().matches("uverbs\\d{1,6}"))
          .sorted(Comparator.comparingInt(Sysfs::index))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("the devices of " + folder() + " can't be listed", e);
    }
  }

  private static int index(Path entry) {
    return Integer.parseInt(entry.getFileName().toString().substring("uverbs".length()));
  }

  /**
   * The unsigned number in a file, decimal or with {@code 0x}; empty when it can't be read or has
   * other text: ports without counters have {@code N/A (no PMA)}.
   */
  static Optional<Long> number(Path file) {
    return line(file)
        .flatMap(
            text -> {
              boolean isHex = text.startsWith("0x");
              try {
                return Optional.of(
                    Long.parseUnsignedLong(isHex ? text.substring(2) : text, isHex ? 16 : 10));
              } catch (NumberFormatException e) {
                return Optional.empty();
              }
            });
  }

  /** The only line of a file; empty when it can't be read. */
  static Optional<String> line(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
