package dev.bluebell.softnic.engine;

import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The back-off of the device's thread when it finds nothing to do: it spins for a while, then
 * sleeps, longer and longer up to a maximum. A thread with precedence never spins, and its first
 * sleeps are brief. For the device's thread.
 */
final class Idleness {
  /**
   * How long the thread spins before it offers its processor to others at each look: on a busy
   * machine the client that is about to ring may need it.
   */
  private static final long YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** How long the thread spins at most when others wait for its processor. */
  private static final long CROWDED_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(5);

  /**
   * If a thread with precedence slept for half as long, the kernel would put the clients on one
   * processor, where they wait for each other's time slices.
   */
  private static final long MIN_SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private static final int LOOKS_BETWEEN_CLOCK_READS = 64;

  /** Looks that a thread with precedence takes before it sleeps: about a microsecond. */
  private static final int LOOKS_BEFORE_NAP = 16;

  /** For how long a thread with precedence keeps its sleeps at their first length. */
  private static final long NAPS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LongSupplier clock;
  private final long spinNanos;
  private final long maxSleepNanos;

  // 0 while there is work.
  private long looks;
  private long since;
  private long sleep;

  /**
   * @param clock nanoseconds
   * @param spinNanos how long the thread spins before it sleeps
   * @param maxSleepNanos how long it sleeps at most, at least 1
   */
  Idleness(LongSupplier clock, long spinNanos, long maxSleepNanos) {
    this.clock = clock;
    this.spinNanos = spinNanos;
    this.maxSleepNanos = maxSleepNanos;
  }

  /** There was work. */
  void end() {
    looks = 0;
    sleep = 0;
  }

  /**
   * Notes a look that found nothing.
   *
   * @param first whether the thread has precedence
   * @param crowded whether there are fewer processors than threads that spin
   * @param ringable whether doorbells can ring; if not, there are only commands to wait for
   * @return nanoseconds to sleep now; 0 to look again
   */
  long next(boolean first, boolean crowded, boolean ringable) {
    if (sleep == 0 && ++looks % (first ? LOOKS_BEFORE_NAP : LOOKS_BETWEEN_CLOCK_READS) != 0) {
      return 0;
    }
    long now = clock.getAsLong();
    if (looks <= LOOKS_BETWEEN_CLOCK_READS && sleep == 0) {
      since = now;
    }
    long idle = now - since;
    if (first && ringable && idle < NAPS_NANOS) {
      sleep = Math.min(MIN_SLEEP_NANOS, maxSleepNanos);
    } else if (sleep > 0) {
      sleep =
          Math.min(2 * sleep, ringable ? maxSleepNanos : SoftNicOptions.DEFAULT.maxSleepNanos());
    } else if (first || idle >= (crowded ? Math.min(CROWDED_SPIN_NANOS, spinNanos) : spinNanos)) {
      sleep = MIN_SLEEP_NANOS;
    } else if (idle > YIELD_NANOS) {
      Thread.yield();
    }
    return sleep;
  }
}
