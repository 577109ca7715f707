package dev.bluebell.cli.device;

import com.sun.management.OperatingSystemMXBean;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.NativeAccess;
import dev.bluebell.verbs.Device;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The result of one check of the doctor.
 *
 * @param found the facts
 * @param remedy what to do; empty if nothing is to be done
 */
record Examination(String subject, Verdict verdict, String found, String remedy) {
  private static final long MIB = 1 << 20;
  private static final long MIN_MEMORY_MIB = 512;

  /** The judgement. */
  enum Verdict {
    GOOD,
    /** Works, but not as well as it could. */
    NOTE,
    MISSING,
    /** The facts are not in any file that a process may read. */
    UNKNOWN
  }

  /** Checks the requirements of the software device in this process. */
  static List<Examination> ofProcess() {
    return List.of(jdk(), nativeAccess(), processors(), memory(), device());
  }

  static Examination good(String subject, String found) {
    return new Examination(subject, Verdict.GOOD, found, "");
  }

  private static Examination jdk() {
    return good("JDK", "%s %s".formatted(System.getProperty("java.vendor"), Runtime.version()));
  }

  private static Examination nativeAccess() {
    Module module = Hca.class.getModule();
    String name = NativeAccess.option(module);
    return module.isNativeAccessEnabled()
        ? good("native access", "enabled for " + name)
        : new Examination(
            "native access",
            Verdict.NOTE,
            "not enabled for " + name,
            "Start Java with --enable-native-access=%s, as ./bluebell does.".formatted(name));
  }

  private static Examination processors() {
    int count = Runtime.getRuntime().availableProcessors();
    return count > 1
        ? good("processors", "%d".formatted(count))
        : new Examination(
            "processors",
            Verdict.NOTE,
            "1",
            "The device's thread competes for it: open the device as soft:engine=poll.");
  }

  private static Examination memory() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long total = system.getTotalMemorySize() / MIB;
    long free = system.getFreeMemorySize() / MIB;
    long heap = Runtime.getRuntime().maxMemory() / MIB;
    String found = "%,d MiB, %,d free; Java heap up to %,d MiB".formatted(total, free, heap);
    return total >= MIN_MEMORY_MIB
        ? good("memory", found)
        : new Examination(
            "memory",
            Verdict.NOTE,
            found,
            "perf takes up to 100 MiB beside the heap: choose smaller --size and --tx-depth.");
  }

  private static Examination device() {
    List<String> names = Device.names();
    if (names.isEmpty()) {
      return new Examination(
          "devices", Verdict.MISSING, "none", "Add bluebell-softnic to the application.");
    }
    try (Device device = Device.open()) {
      SelfTest.run(device);
      return good(
          "devices", "%s; %s moves data".formatted(String.join(", ", names), device.name()));
    } catch (RuntimeException e) {
      return new Examination(
          "devices",
          Verdict.MISSING,
          "%s does not move data".formatted(names.getFirst()),
          String.valueOf(e.getMessage()));
    }
  }
}
