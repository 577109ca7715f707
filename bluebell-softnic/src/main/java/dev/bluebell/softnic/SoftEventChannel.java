package dev.bluebell.softnic;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A queue of events with waiters. If the device has no thread, the waiting thread runs it. */
final class SoftEventChannel implements HcaEventChannel {
  private static final int CAPACITY = 1 << 16;
  private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final SoftNic device;
  private final EventDispatcher dispatcher;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<HcaEvent> events = new ArrayDeque<>();
  private boolean woken;
  private boolean closed;

  SoftEventChannel(SoftNic device, EventDispatcher dispatcher) {
    this.device = device;
    this.dispatcher = dispatcher;
  }

  @Override
  public void subscribe(@Nullable HcaObject object, int type, long cookie) {
    dispatcher.subscribe(this, object == null ? 0 : object.number(), type, cookie);
  }

  @Override
  public void unsubscribe(@Nullable HcaObject object, int type, long cookie) {
    dispatcher.unsubscribe(this, object == null ? 0 : object.number(), type, cookie);
  }

  /** Adds an event; when the queue is full, the oldest event is lost. */
  void offer(HcaEvent event) {
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

  @Override
  public @Nullable HcaEvent poll() {
    device.progress();
    lock.lock();
    try {
      return events.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    while (true) {
      boolean idle = device.progressBeforeRest() == 0;
      long left = timeoutNanos < 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
      lock.lockInterruptibly();
      try {
        HcaEvent event = events.pollFirst();
        if (event != null || closed || woken || left <= 0) {
          woken &= event != null;
          return event;
        }
        if (idle) {
          arrived.awaitNanos(device.isRunByPollers() ? Math.min(left, SLICE_NANOS) : left);
        }
      } finally {
        lock.unlock();
      }
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
  public void close() {
    dispatcher.unsubscribe(this);
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
