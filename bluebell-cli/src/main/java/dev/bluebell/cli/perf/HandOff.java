package dev.bluebell.cli.perf;

import dev.bluebell.server.Threads;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * The time that a cache line takes from one processor to another and back.
 *
 * <p>Requests, messages and completions move between the application's thread and the device's as
 * cache lines, so rates are comparable only together with this time. On a virtual machine it
 * changes whenever the host moves a processor.
 */
final class HandOff {
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(30);
  private static final long NANOS_WITHOUT_GAIN = TimeUnit.MILLISECONDS.toNanos(12);
  private static final int BATCH = 64;

  /** Takes far longer than a cache line between two running threads. */
  private static final int SPINS = 1 << 10;

  /** Index of the shared element; no other data is near it. */
  private static final int AT = 64;

  private static final long END = -1;

  private HandOff() {}

  /**
   * Measures with a second thread for 30 ms, or until the result has not fallen for 12 ms. Before
   * the code is compiled, it falls. Where other threads use the processors, the 30 ms may end
   * within the first series.
   *
   * @return nanoseconds there and back, the minimum of short series; 0 on one processor
   */
  static long nanos() {
    if (Runtime.getRuntime().availableProcessors() < 2) {
      return 0;
    }
    long[] line = new long[2 * AT];
    Thread other = Thread.ofPlatform().daemon().start(() -> answer(line));
    long least = Long.MAX_VALUE;
    long sent = 0;
    long start = System.nanoTime();
    long deadline = start + NANOS;
    long found = start;
    while (start - deadline < 0 && start - found < NANOS_WITHOUT_GAIN) {
      int exchanges = 0;
      boolean late = false;
      while (exchanges < BATCH && !late) {
        boolean quick = exchange(line, sent += 2);
        late = !quick && System.nanoTime() - deadline >= 0;
        exchanges++;
      }
      long end = System.nanoTime();
      long roundTrip = (end - start) / exchanges;
      if (roundTrip < least) {
        least = roundTrip;
        found = end;
      }
      start = end;
    }
    ELEMENT.setRelease(line, AT, END);
    Threads.join(other);
    return least;
  }

  /** Sends {@code answer - 1} and waits for the answer; false if a thread had no processor. */
  private static boolean exchange(long[] line, long answer) {
    ELEMENT.setRelease(line, AT, answer - 1);
    int spins = 0;
    while ((long) ELEMENT.getAcquire(line, AT) != answer) {
      pause(++spins);
    }
    return spins < SPINS;
  }

  /** Replaces each odd number by the next even one. */
  private static void answer(long[] line) {
    long value;
    int spins = 0;
    while ((value = (long) ELEMENT.getAcquire(line, AT)) != END) {
      if ((value & 1) == 1) {
        ELEMENT.setRelease(line, AT, value + 1);
        spins = 0;
      } else {
        pause(++spins);
      }
    }
  }

  /** Leaves the processor to the other thread if that seems to have none. */
  private static void pause(int spins) {
    if (spins % SPINS == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}
