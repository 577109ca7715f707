package dev.bluebell.devx;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The queue of a channel's events, filled by the device's event thread. */
final class DevxEventChannel implements HcaEventChannel {
  private static final int CAPACITY = 1 << 16;

  /** Marks the end of the events, for all waiters. */
  private static final HcaEvent END = new HcaEvent(HcaEvent.INTERNAL_ERROR, 0, 0, 0);

  private final DeviceEvents events;
  private final BlockingQueue<HcaEvent> queue = new LinkedBlockingQueue<>(CAPACITY);

  DevxEventChannel(DeviceEvents events) {
    this.events = events;
  }

  @Override
  public void subscribe(@Nullable HcaObject object, int type, long cookie) {
    if (object != null && !(object instanceof DevxObject)) {
      throw new IllegalArgumentException("the kernel reports no events of this kind of object");
    }
    events.subscribe(this, (DevxObject) object, type, cookie);
  }

  /** Adds an event; when the queue is full, the oldest is lost. */
  void offer(HcaEvent event) {
    while (!queue.offer(event)) {
      HcaEvent unused = queue.poll();
    }
  }

  /** Adds a last event that reports the loss of the device. */
  void fail() {
    offer(new HcaEvent(HcaEvent.INTERNAL_ERROR, 0, 0, 0));
    end();
  }

  /** Wakes waiters; no event follows. */
  void end() {
    offer(END);
  }

  @Override
  public @Nullable HcaEvent poll() {
    return seen(queue.poll());
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    return seen(timeoutNanos < 0 ? queue.take() : queue.poll(timeoutNanos, TimeUnit.NANOSECONDS));
  }

  // Compares identity: a real event may equal END.
  @SuppressWarnings("ReferenceEquality")
  private @Nullable HcaEvent seen(@Nullable HcaEvent event) {
    if (event == END) {
      end();
      return null;
    }
    return event;
  }

  @Override
  public void close() {
    events.forget(this);
    end();
  }
}
