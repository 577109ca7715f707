package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.command.CmdHcaCap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The pages about the device's clock. One is the clock as the device shows it, as {@code device.h:
 * mlx5_init_seg internal_timer_h} does. By the other programs turn timestamps of completions into
 * time of day; it never changes, as the device counts the machine's nanoseconds. It mirrors {@code
 * mlx5-abi.h: mlx5_ib_clock_info}.
 */
final class ClockPages {
  private static final long NANOSECONDS_KHZ = 1_000_000;

  // Indices of the pages: mlx5_ib_mmap_cmd in bits 8 and up, version 0.
  private static final int CLOCK = 5 << 8;
  private static final int CLOCK_INFO = 7 << 8;

  private static final int NSEC = 8;
  private static final int CYCLES = 16;
  private static final int MULT = 32;
  private static final int MASK = 40;

  private ClockPages() {}

  /**
   * The versions of the page about time of day that there are, each a bit; none for a device with
   * other clocks.
   */
  static int versions(Hca hca) {
    boolean countsNanoseconds =
        DeviceQueries.general(hca).get(CmdHcaCap.DEVICE_FREQUENCY_KHZ) == NANOSECONDS_KHZ;
    return countsNanoseconds ? 1 : 0;
  }

  /** Shows a program the clock; what ends that. */
  static HcaHosting.ShownClock show(HcaHosting hosting, DevicePages pages) throws IOException {
    return hosting.showClock(pages.at(CLOCK).segment().asSlice(0, Long.BYTES));
  }

  /** Writes the page about time of day of a program. */
  static void write(Hca hca, DevicePages pages) throws IOException {
    if (versions(hca) == 0) {
      return;
    }
    MemorySegment page = pages.at(CLOCK_INFO).segment();
    Instant now = Instant.now();
    long cycles = hca.clock();
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    page.set(ValueLayout.JAVA_LONG, NSEC, nanos);
    page.set(ValueLayout.JAVA_LONG, CYCLES, cycles);
    page.set(ValueLayout.JAVA_INT, MULT, 1);
    page.set(ValueLayout.JAVA_LONG, MASK, -1);
  }
}
