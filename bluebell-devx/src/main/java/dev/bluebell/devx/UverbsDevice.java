package dev.bluebell.devx;

import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.counter.PortCounter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * A device that sysfs lists and that the kernel's mlx5 driver has.
 *
 * @param name such as {@code mlx5_0} or {@code rocep1s0f0}
 * @param node its device file
 * @param port the folder of its first port
 * @param identity as sysfs has it
 */
record UverbsDevice(String name, Path node, Path port, HcaIdentity identity) {
  /**
   * What the counters of the first port are now. Each is read at a moment of its own.
   *
   * @return those that the kernel has
   */
  Map<PortCounter, Long> counters() {
    Map<PortCounter, Long> all = new EnumMap<>(PortCounter.class);
    for (PortCounter counter : PortCounter.values()) {
      Sysfs.line(port.resolve(counter.folder()).resolve(counter.fileName()))
          .ifPresent(value -> all.put(counter, Long.parseUnsignedLong(value)));
    }
    return all;
  }
}
