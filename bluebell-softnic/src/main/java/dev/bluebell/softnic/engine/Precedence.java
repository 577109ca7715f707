package dev.bluebell.softnic.engine;

import dev.bluebell.hca.HcaPrecedence;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the thread of a device comes before the clients: while it and they are more than the
 * processors, as a thread that wakes among others that spin waits for the end of their time slices.
 * No client can make it keep a processor that way. It has an account of 10 ms: its work is taken
 * from that, rest adds three times its length, and when nothing is left it is a thread like others
 * until the account is full. It takes time of each processor in turn: clients that spin beside it
 * would be moved together otherwise, to the processor that it leaves alone, where one waits for the
 * end of the other's time slice.
 *
 * <p>The account is settled after each step. Another thread {@linkplain #look looks} whether the
 * step ends at all. The device's thread calls all other methods.
 */
final class Precedence {
  /** Work without rest after which others may have the processor. */
  static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** How much work a rest allows: three quarters of the time at most. */
  private static final int WORK_FOR_REST = 3;

  /** How long it stays on a processor: the kernel's mean of its time halves in 32 ms. */
  private static final long STAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LongSupplier clock;
  private volatile HcaPrecedence.@Nullable Held taken;
  private @Nullable HcaPrecedence refused;
  private long account = MOST_NANOS;

  // Until when the account is settled; the device's thread writes it.
  private final AtomicLong settled;

  // What the last look found. Of the thread that looks.
  private long seen = Long.MIN_VALUE;

  // Since when it is on its processor.
  private long moved;

  /**
   * @param clock nanoseconds
   */
  Precedence(LongSupplier clock) {
    this.clock = clock;
    moved = clock.getAsLong();
    settled = new AtomicLong(moved);
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
        taken = possible.take().orElse(null);
        refused = taken == null ? possible : null;
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
    account = Math.min(MOST_NANOS, account + WORK_FOR_REST * (now - settled.getPlain()));
    settled.setRelease(now);
  }

  private void settleWork(long now) {
    account -= now - settled.getPlain();
    settled.setRelease(now);
  }

  private void moveInTime() {
    HcaPrecedence.Held held = taken;
    long now = settled.getPlain();
    if (held != null && now - moved >= STAY_NANOS) {
      held.move();
      moved = now;
    }
  }

  private void giveUpIf(boolean needed) {
    if (needed) {
      giveUp();
    }
  }

  private synchronized void giveUp() {
    HcaPrecedence.Held held = taken;
    if (held != null) {
      taken = null;
      held.giveUp();
    }
  }

  // ---- the thread that looks

  /**
   * Gives the precedence up if the device's thread settled nothing since the last look. Each step
   * is short, but the JVM itself may make the thread spin until a thread of the compiler has done
   * something, and that thread gets no processor while it waits behind one with precedence.
   */
  void look() {
    long now = settled.getAcquire();
    if (now == seen) {
      giveUp();
    }
    seen = now;
  }
}
