package dev.bluebell.lab.storm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Time that the host of this machine had its processors for others, which is nobody's fault here.
 */
final class Stolen {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int STEAL = 8;
  private static final long TICK_NANOS = 10_000_000;

  private Stolen() {}

  /** Nanoseconds since the start, of all processors together; the kernel counts hundredths. */
  static long nanos() {
    try (Stream<String> lines = Files.lines(STAT)) {
      return TICK_NANOS * Long.parseLong(lines.findFirst().orElseThrow().split(" +", -1)[STEAL]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
