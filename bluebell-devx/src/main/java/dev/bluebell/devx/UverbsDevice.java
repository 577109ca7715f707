package dev.bluebell.devx;

import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.counter.PortCounter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * A device in sysfs that the kernel's mlx5 driver drives.
 *
 * @param name such as {@code mlx5_0} or {@code rocep1s0f0}
 * @param node its device file
 * @param port the folder of its first port
 * @param identity as sysfs has it
 */
record UverbsDevice(String name, Path node, Path port, HcaIdentity identity) {
  /**
   * Current values of the first port's counters. They are read one by one, not atomically.
   *
   * @return the counters that the kernel has
   */
  Map<PortCounter, Long> counters() {
    Map<PortCounter, Long> all = new EnumMap<>(PortCounter.class);
    for (PortCounter counter : PortCounter.values()) {
      Sysfs.number(port.resolve(counter.folder()).resolve(counter.fileName()))
          .ifPresent(value -> all.put(counter, value));
    }
    return all;
  }
}
