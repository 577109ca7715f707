package dev.bluebell.lab.storm;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A thread that detects when the machine itself stood still. There is one per processor; it needs
 * the processor for a moment every millisecond, has priority over all other threads by {@link
 * Storm}, and notes when it did not run in time. Only the host of a virtual machine, or this JVM,
 * can delay it.
 */
final class Witness {
  /** Name prefix of the threads, followed by a number. */
  static final String NAME = "witness-";

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A wake-up that is later than this was delayed. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  private final Thread thread;
  private volatile long lost;

  private Witness(int processor) {
    thread = Thread.ofPlatform().daemon().name(NAME + processor).unstarted(this::watch);
  }

  /** Creates and starts one for each processor. */
  static Witness[] start() {
    Witness[] witnesses =
        IntStream.range(0, Runtime.getRuntime().availableProcessors())
            .mapToObj(Witness::new)
            .toArray(Witness[]::new);
    for (Witness witness : witnesses) {
      witness.thread.start();
    }
    return witnesses;
  }

  /**
   * Time for which the machine stood still since the start, on the worst processor, in nanoseconds.
   */
  static long lost(Witness[] witnesses) {
    long most = 0;
    for (Witness witness : witnesses) {
      most = Math.max(most, witness.lost);
    }
    return most;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void watch() {
    long last = System.nanoTime();
    while (true) {
      LockSupport.parkNanos(REST_NANOS);
      long now = System.nanoTime();
      if (now - last > LATE_NANOS) {
        lost += now - last;
      }
      last = now;
    }
  }
}
