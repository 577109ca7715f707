package dev.bluebell.lab.storm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Resource use of a device process.
 *
 * @param heapKib live heap in KiB
 */
record DeviceFigures(long rssKib, long heapKib, long threads, long descriptors, long mappings) {
  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  /** Measures a process, after a garbage collection. */
  static DeviceFigures of(long pid) throws IOException {
    Path process = Path.of("/proc/" + pid);
    String unused = jcmd(pid, "GC.run");
    long heap = sum(jcmd(pid, "GC.heap_info"));
    long rss = 0;
    long threads = 0;
    for (String line : Files.readAllLines(process.resolve("status"))) {
      if (line.startsWith("VmRSS:")) {
        rss = number(line);
      } else if (line.startsWith("Threads:")) {
        threads = number(line);
      }
    }
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"));
        Stream<String> mappings = Files.lines(process.resolve("maps"))) {
      return new DeviceFigures(rss, heap, threads, descriptors.count(), mappings.count());
    }
  }

  // Sums the generations of the heap, each of which has a total, and skips other listed figures.
  private static long sum(String info) throws IOException {
    long kib = 0;
    boolean isKnown = false;
    for (String line : info.split("\n", -1)) {
      Matcher used = USED.matcher(line);
      if (line.contains("total") && used.find()) {
        kib += Long.parseLong(used.group(1));
        isKnown = true;
      }
    }
    if (!isKnown) {
      throw new IOException("the heap of the device process is not known: " + info.strip());
    }
    return kib;
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }

  private static String jcmd(long pid, String command) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "" + pid,
                command)
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** The cells of a table row. */
  String row() {
    return String.format(
        Locale.ROOT,
        "%.0f | %.1f | %d | %d | %d",
        rssKib / 1024.0,
        heapKib / 1024.0,
        threads,
        descriptors,
        mappings);
  }
}
