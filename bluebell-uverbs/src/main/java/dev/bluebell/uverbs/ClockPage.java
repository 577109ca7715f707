package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.CmdHcaCap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A page by which programs turn timestamps of completions into time of day. It never changes: the
 * device counts the machine's nanoseconds. Mirrors {@code mlx5-abi.h: mlx5_ib_clock_info}.
 */
final class ClockPage {
  private static final long NANOSECONDS_KHZ = 1_000_000;

  /** Index of the page: command 7 in bits 8 and up, version 0. */
  private static final int INDEX = 7 << 8;

  private static final int NSEC = 8;
  private static final int CYCLES = 16;
  private static final int MULT = 32;
  private static final int MASK = 40;

  private ClockPage() {}

  /** The versions of the page that there are, each a bit; none for a device with other clocks. */
  static int versions(Hca hca) {
    boolean countsNanoseconds =
        DeviceQueries.general(hca).get(CmdHcaCap.DEVICE_FREQUENCY_KHZ) == NANOSECONDS_KHZ;
    return countsNanoseconds ? 1 : 0;
  }

  /** Writes the page of a program. */
  static void write(Hca hca, DevicePages pages) throws IOException {
    if (versions(hca) == 0) {
      return;
    }
    MemorySegment page = pages.at(INDEX).segment();
    Instant now = Instant.now();
    long cycles = hca.clock();
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    page.set(ValueLayout.JAVA_LONG, NSEC, nanos);
    page.set(ValueLayout.JAVA_LONG, CYCLES, cycles);
    page.set(ValueLayout.JAVA_INT, MULT, 1);
    page.set(ValueLayout.JAVA_LONG, MASK, -1);
  }
}
