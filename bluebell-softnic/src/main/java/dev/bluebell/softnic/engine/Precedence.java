package dev.bluebell.softnic.engine;

import dev.bluebell.hca.HcaPrecedence;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the device's thread has precedence over the clients: while there are more threads
 * than processors, because a thread that wakes among spinning threads waits for the end of their
 * time slices. No client can use this to make it keep a processor. It has an account of 10 ms: its
 * work is taken from that, rest adds three times its length, and when nothing is left it has no
 * precedence until the account is full. It takes time from each processor in turn: otherwise the
 * kernel would move spinning clients to the one processor that it leaves alone, where they wait for
 * each other's time slices.
 *
 * <p>The account is settled after each step. Another thread {@linkplain #look looks} whether the
 * step ends at all. The device's thread calls all other methods.
 */
final class Precedence {
  /** Work without rest after which the precedence ends. */
  static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Work that a rest pays for, per unit of time: at most three quarters of all time is work. */
  private static final int WORK_FOR_REST = 3;

  /** How long it stays on a processor: the kernel's average of its time halves in 32 ms. */
  private static final long STAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LongSupplier clock;
  private volatile HcaPrecedence.@Nullable Held taken;
  private @Nullable HcaPrecedence refused;
  private long account = MOST_NANOS;

  // Time up to which the account is settled; the device's thread writes it.
  private final AtomicLong settled;

  // The result of the last look. Only for the watching thread.
  private long seen = Long.MIN_VALUE;

  // Since when it has been on its processor.
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

  /** Notes a step that did something. */
  void worked() {
    if (taken != null) {
      settleWork(clock.getAsLong());
      giveUpIf(account <= 0);
    }
  }

  /**
   * Notes a step that found nothing to do, after which the thread may rest.
   *
   * @param possible how the thread may get precedence; null when it may not
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

  /** Gives the precedence up: the thread stops running the device. */
  void end() {
    giveUpIf(true);
  }

  /** Notes the end of a rest. */
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

  // ---- the watching thread

  /**
   * Gives the precedence up if the device's thread settled nothing since the last look. Each step
   * is short, but the JVM may make the thread spin until a compiler thread has done something, and
   * the compiler thread gets no processor behind a thread with precedence.
   */
  void look() {
    long now = settled.getAcquire();
    if (now == seen) {
      giveUp();
    }
    seen = now;
  }
}
