package dev.bluebell.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Resources that this process may use for its clients: the kernel's limits, less current use, less
 * a part that the process keeps for itself.
 *
 * @param mappings of memory
 * @param descriptors that are open at a time
 * @param threads that serve clients
 * @param heapBytes of the JVM
 * @param memoryBytes beside the heap
 */
record ProcessLimits(
    long mappings, long descriptors, long threads, long heapBytes, long memoryBytes) {
  private static final long LEAST = 16;
  private static final long LEAST_THREADS = 4;

  /** Mappings of a thread, taken from the part that the process keeps for itself. */
  private static final long MAPPINGS_OF_A_THREAD = 8;

  private static final long MAX_THREADS = 2048;
  private static final long KIB = 1024;
  private static final long USUAL_MAPPINGS = 65530;
  private static final long USUAL_DESCRIPTORS = 1024;
  private static final Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");

  /** Reads the limits from the kernel; uses common values for those it does not report. */
  static ProcessLimits here() {
    long mappings =
        number(Path.of("/proc/sys/vm/max_map_count"), USUAL_MAPPINGS)
            - lines(Path.of("/proc/self/maps")).size();
    long descriptors = limit("Max open files", USUAL_DESCRIPTORS) - openDescriptors();
    long threads =
        Math.min(
            Math.min(
                limit("Max processes", Long.MAX_VALUE),
                number(Path.of("/proc/sys/kernel/threads-max"), Long.MAX_VALUE)),
            group("pids", "pids.max", "pids.max", "pids.current", "pids.current"));
    long memory =
        Math.min(
            Math.min(available(), limit("Max address space", Long.MAX_VALUE)),
            group(
                "memory",
                "memory.max",
                "memory.limit_in_bytes",
                "memory.current",
                "memory.usage_in_bytes"));
    return new ProcessLimits(
        Math.max(LEAST, mappings / 2),
        Math.max(LEAST, descriptors / 4 * 3),
        Math.max(
            LEAST_THREADS,
            Math.min(threads / 2, Math.min(MAX_THREADS, mappings / 2 / MAPPINGS_OF_A_THREAD))),
        Runtime.getRuntime().maxMemory(),
        Math.max(KIB * KIB, memory / 4 * 3));
  }

  private static long limit(String name, long otherwise) {
    return lines(Path.of("/proc/self/limits")).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().split(" +")[0])
        .mapToLong(value -> parse(value, Long.MAX_VALUE))
        .findFirst()
        .orElse(otherwise);
  }

  private static long openDescriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    } catch (IOException e) {
      return LEAST;
    }
  }

  private static long available() {
    return lines(Path.of("/proc/meminfo")).stream()
        .filter(line -> line.startsWith("MemAvailable:"))
        .mapToLong(line -> parse(line.split(" +")[1], Long.MAX_VALUE / KIB) * KIB)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  /**
   * The amount that the process's control group and its ancestors still allow.
   *
   * @param controller its name in version 1; version 2 has one group for all
   */
  private static long group(
      String controller, String limit2, String limit1, String used2, String used1) {
    long least = Long.MAX_VALUE;
    for (String line : lines(Path.of("/proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (fields.length < 3) {
        continue;
      }
      boolean unified = fields[1].isEmpty();
      if (unified || List.of(fields[1].split(",")).contains(controller)) {
        Path root = unified ? CONTROL_GROUPS : CONTROL_GROUPS.resolve(controller);
        Path group = root.resolve(fields[2].substring(1)).normalize();
        for (; group != null && group.startsWith(root); group = group.getParent()) {
          long all = number(group.resolve(unified ? limit2 : limit1), Long.MAX_VALUE);
          long used = number(group.resolve(unified ? used2 : used1), 0);
          least = Math.min(least, all == Long.MAX_VALUE ? all : Math.max(0, all - used));
        }
      }
    }
    return least;
  }

  private static long number(Path file, long otherwise) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? otherwise : parse(lines.getFirst().strip(), otherwise);
  }

  // "max" and "unlimited" are not numbers.
  private static long parse(String value, long otherwise) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
