package dev.bluebell.lab.storm;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Time in which the machine itself stood still: threads that want a processor for a moment each
 * millisecond, one for each processor, and that {@link Storm} puts before all others, see when they
 * did not get one. Only the host of a virtual machine, or this JVM, can hold them up.
 */
final class Witness {
  /** Name of the threads, to which a number is appended. */
  static final String NAME = "witness-";

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A later return is one that something held up. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  private final Thread thread;
  private volatile long lost;

  private Witness(int processor) {
    thread = Thread.ofPlatform().daemon().name(NAME + processor).unstarted(this::watch);
  }

  /** One for each processor, started. */
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

  /** Nanoseconds for which the machine stood still since the start, on the worst processor. */
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
