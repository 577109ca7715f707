package dev.bluebell.softnic.engine;

import dev.bluebell.hca.HcaPrecedence;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the thread of a device comes before the clients: while it and they are more than the
 * processors, as a thread that wakes among others that spin waits for the end of their time slices.
 * No client can make it keep a processor that way. It has an account of 10 ms: its work is taken
 * from that, rest adds three times its length, and when nothing is left it is a thread like others
 * until the account is full. It takes time of each processor in turn: clients that spin beside it
 * would be moved together otherwise, to the processor that it leaves alone, where one waits for the
 * end of the other's time slice. For the device's thread.
 */
final class Precedence {
  /** Work without rest after which others may have the processor. */
  static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** How much work a rest allows: three quarters of the time at most. */
  private static final int WORK_FOR_REST = 3;

  /** How long it stays on a processor: the kernel's mean of its time halves in 32 ms. */
  private static final long STAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LongSupplier clock;
  private @Nullable HcaPrecedence taken;
  private @Nullable HcaPrecedence refused;
  private long account = MOST_NANOS;

  // Until when the account is settled.
  private long settled;

  // Since when it is on its processor.
  private long moved;

  /**
   * @param clock nanoseconds
   */
  Precedence(LongSupplier clock) {
    this.clock = clock;
    settled = clock.getAsLong();
    moved = settled;
  }

  boolean isTaken() {
    return taken != null;
  }

  /** Takes note of a step in which something was done. */
  void worked() {
    if (taken != null) {
      settleWork(clock.getAsLong());
      giveUpIf(account <= 0);
    }
  }

  /**
   * Takes note of a step in which nothing was to be done, after which the thread may rest.
   *
   * @param possible how the thread may come before others; null when it may not
   * @param crowded whether there are too few processors
   * @return true when it has precedence, and so must rest soon
   */
  boolean idle(@Nullable HcaPrecedence possible, boolean crowded) {
    if (taken != null) {
      settleWork(clock.getAsLong());
      giveUpIf(account <= 0 || !crowded);
      moveInTime();
    } else if (crowded && possible != null && !possible.equals(refused)) {
      rested();
      if (account == MOST_NANOS) {
        if (possible.take()) {
          taken = possible;
        } else {
          refused = possible;
        }
      }
    }
    return taken != null;
  }

  /** The thread does something else from now on. */
  void end() {
    giveUpIf(true);
  }

  /** Takes note of the end of a rest. */
  void rested() {
    long now = clock.getAsLong();
    account = Math.min(MOST_NANOS, account + WORK_FOR_REST * (now - settled));
    settled = now;
  }

  private void settleWork(long now) {
    account -= now - settled;
    settled = now;
  }

  private void moveInTime() {
    if (taken != null && settled - moved >= STAY_NANOS) {
      taken.move();
      moved = settled;
    }
  }

  private void giveUpIf(boolean needed) {
    if (needed && taken != null) {
      taken.giveUp();
      taken = null;
    }
  }
}
