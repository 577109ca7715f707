package dev.bluebell.hca;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A channel that another thread fills: the base of channels that subscribe in their own way. It
 * keeps the latest {@value #CAPACITY} events. Thread-safe.
 */
public abstract class QueuedEventChannel implements HcaEventChannel {
  private static final int CAPACITY = 1 << 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<HcaEvent> events = new ArrayDeque<>();
  private boolean woken;
  private boolean ended;

  /** Adds an event; when the queue is full, the oldest is lost. */
  public final void offer(HcaEvent event) {
    lock.lock();
    try {
      if (events.size() == CAPACITY) {
        events.removeFirst();
      }
      events.addLast(event);
      // A thread that is woken may be interrupted, and then take no event.
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Adds a last event, which reports the loss of the device. */
  public final void fail() {
    offer(new HcaEvent(HcaEvent.INTERNAL_ERROR, 0, 0, 0));
    end();
  }

  /** Wakes waiters; no event follows. */
  public final void end() {
    lock.lock();
    try {
      ended = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void wakeup() {
    lock.lock();
    try {
      woken = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable HcaEvent poll() {
    lock.lock();
    try {
      return events.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    return await(timeoutNanos, () -> Long.MAX_VALUE);
  }

  /**
   * As {@link #await(long)}, for a waiting thread that has other work.
   *
   * @param work called before each look for an event; returns for how many nanoseconds at most the
   *     thread may rest if there is none, 0 or more
   */
  protected final @Nullable HcaEvent await(long timeoutNanos, LongSupplier work)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    while (true) {
      long rest = work.getAsLong();
      long left = timeoutNanos < 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
      lock.lockInterruptibly();
      try {
        HcaEvent event = events.pollFirst();
        if (event != null || ended || woken || left <= 0) {
          woken &= event != null;
          return event;
        }
        if (rest > 0) {
          arrived.awaitNanos(Math.min(left, rest));
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
