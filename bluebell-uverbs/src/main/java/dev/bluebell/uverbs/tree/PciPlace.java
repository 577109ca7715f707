package dev.bluebell.uverbs.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The apparent PCI location of a device: behind a port of a root that the machine does not have.
 *
 * @param root number of the root's bus, 0 … 0xff
 * @param index of the device, 0 …
 */
public record PciPlace(int root, int index) {
  private static final int FIRST_ROOT = 0xe0;
  private static final int LOWEST_ROOT = 0x40;

  /** Buses behind one root, whose ports are numbered 1 … 0x1e. */
  private static final int PORTS = 0x1e;

  private static final Path MACHINE = Path.of("/sys/bus/pci/devices");

  /**
   * The place of a device on a root whose buses are unused on this machine.
   *
   * @throws IllegalArgumentException when the index exceeds a root's ports
   */
  public static PciPlace free(int index) throws IOException {
    if (index >= PORTS) {
      throw new IllegalArgumentException("at most %d devices".formatted(PORTS));
    }
    int root =
        IntStream.iterate(FIRST_ROOT, bus -> bus >= LOWEST_ROOT, bus -> bus - (PORTS + 2))
            .filter(bus -> IntStream.rangeClosed(bus, bus + PORTS).noneMatch(PciPlace::isUsed))
            .findFirst()
            .orElse(FIRST_ROOT);
    return new PciPlace(root, index);
  }

  private static boolean isUsed(int bus) {
    String begin = "0000:%02x:".formatted(bus);
    if (Files.exists(Path.of("/sys/devices/pci0000:%02x".formatted(bus)))) {
      return true;
    }
    if (!Files.isDirectory(MACHINE)) {
      return false;
    }
    try (Stream<Path> devices = Files.list(MACHINE)) {
      return devices.anyMatch(device -> device.getFileName().toString().startsWith(begin));
    } catch (IOException e) {
      return false;
    }
  }

  /** Name of the port that the device is behind. */
  public String port() {
    return "0000:%02x:%02x.0".formatted(root, index + 1);
  }

  /** The device's own address. */
  public String address() {
    return "0000:%02x:00.0".formatted(root + 1 + index);
  }

  /** The folder of the port, in the tree. */
  public String portFolder() {
    return "devices/pci0000:%02x/%s".formatted(root, port());
  }

  /** The folder of the device, in the tree. */
  public String folder() {
    return portFolder() + "/" + address();
  }
}
