package dev.bluebell.cli.device;

import com.sun.management.OperatingSystemMXBean;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.NativeAccess;
import dev.bluebell.verbs.Device;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One thing that the doctor looked at.
 *
 * @param found what is there
 * @param remedy what to do; empty when nothing is to be done
 */
record Examination(String subject, Verdict verdict, String found, String remedy) {
  private static final int JDK = 25;
  private static final long MIB = 1 << 20;
  private static final long MIN_MEMORY_MIB = 512;
  private static final File INFINIBAND = new File("/sys/class/infiniband");

  /** How it is. */
  enum Verdict {
    GOOD,
    /** Works, but not as well as it could. */
    NOTE,
    MISSING
  }

  static List<Examination> all() {
    List<Examination> all =
        new ArrayList<>(List.of(jdk(), nativeAccess(), processors(), memory(), device()));
    all.addAll(ProgramExaminations.all());
    all.add(hardware());
    return all;
  }

  static Examination good(String subject, String found) {
    return new Examination(subject, Verdict.GOOD, found, "");
  }

  private static Examination jdk() {
    String found = "%s %s".formatted(System.getProperty("java.vendor"), Runtime.version());
    return Runtime.version().feature() >= JDK
        ? good("JDK", found)
        : new Examination("JDK", Verdict.MISSING, found, "Install JDK %d or later.".formatted(JDK));
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
            "The device's thread has to share it: open the device as soft:engine=poll.");
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
          "devices", Verdict.MISSING, "none", "Add bluebell-softnic to the program.");
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

  private static Examination hardware() {
    String[] names = INFINIBAND.list();
    if (names == null || names.length == 0) {
      return good("hardware", "no RDMA device; none is needed");
    }
    Arrays.sort(names);
    return new Examination(
        "hardware",
        Verdict.NOTE,
        String.join(", ", names),
        "This version drives the software device only.");
  }
}
