package dev.bluebell.uverbs.session;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.Mlx5ClockInfo;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.uverbs.pages.DevicePages;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The two clock pages that clients map. One shows the device's clock, as {@code device.h:
 * mlx5_init_seg internal_timer_h} does. The other, {@code mlx5-abi.h: mlx5_ib_clock_info}, lets
 * clients convert completion timestamps to time of day; it never changes, because the device counts
 * the machine's nanoseconds.
 */
public final class ClockPages {
  private static final long NANOSECONDS_KHZ = 1_000_000;
  private static final int MOST_READINGS = 10;
  private static final long CLOSE_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

  // Indices of the pages: the command in bits 8 and up, version 0.
  private static final int CLOCK = Mlx5.IB_MMAP_CORE_CLOCK << 8;
  private static final int CLOCK_INFO = Mlx5.IB_MMAP_CLOCK_INFO << 8;

  private ClockPages() {}

  /**
   * Bit mask of the supported versions of the time-of-day page; 0 for a device with another clock.
   */
  public static int versions(Hca hca) {
    boolean countsNanoseconds =
        Capabilities.general(hca).get(CmdHcaCap.DEVICE_FREQUENCY_KHZ) == NANOSECONDS_KHZ;
    return countsNanoseconds ? 1 << Mlx5.IB_CLOCK_INFO_V1 : 0;
  }

  /** Shows a client the clock until the result is closed. */
  static HcaHosting.ShownClock show(HcaHosting hosting, DevicePages pages) {
    return hosting.showClock(pages.at(CLOCK).segment().asSlice(0, Long.BYTES));
  }

  /** Writes the time-of-day page of a client. */
  static void write(Hca hca, DevicePages pages) {
    if (versions(hca) == 0) {
      return;
    }
    MemorySegment page = pages.at(CLOCK_INFO).segment();
    Reading read = read(hca::clock, Instant::now);
    View info =
        View.of(Mlx5ClockInfo.STRUCTURE)
            .set(Mlx5ClockInfo.NSEC, read.timeOfDay())
            .set(Mlx5ClockInfo.CYCLES, read.cycles())
            .set(Mlx5ClockInfo.MULT, 1)
            .set(Mlx5ClockInfo.MASK, -1L);
    page.copyFrom(MemorySegment.ofArray(info.bytes()));
  }

  /**
   * Simultaneous values of two clocks.
   *
   * @param cycles the device's
   * @param timeOfDay nanoseconds since 1970
   */
  record Reading(long cycles, long timeOfDay) {}

  /**
   * Reads two clocks. If too much time passed in between, because the thread was preempted, retries
   * and takes the closest pair.
   */
  static Reading read(LongSupplier device, Supplier<Instant> timeOfDay) {
    Reading closest = new Reading(0, 0);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < MOST_READINGS && least > CLOSE_NANOS; i++) {
      long before = device.getAsLong();
      Instant now = timeOfDay.get();
      long after = device.getAsLong();
      if (after - before < least) {
        least = after - before;
        closest =
            new Reading(
                before + least / 2, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano());
      }
    }
    return closest;
  }
}
