package dev.bluebell.devx;

import dev.bluebell.hca.EventQueue;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import org.jspecify.annotations.Nullable;

/** The queue of a channel's events, filled by the device's event thread. */
final class DevxEventChannel implements HcaEventChannel {
  private final DeviceEvents events;
  private final EventQueue queue = new EventQueue();

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

  /** Adds an event. */
  void offer(HcaEvent event) {
    queue.offer(event);
  }

  /** Adds a last event that reports the loss of the device. */
  void fail() {
    queue.fail();
  }

  /** Wakes waiters; no event follows. */
  void end() {
    queue.end();
  }

  @Override
  public @Nullable HcaEvent poll() {
    return queue.poll();
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    return queue.await(timeoutNanos);
  }

  @Override
  public void wakeup() {
    queue.wakeup();
  }

  @Override
  public void close() {
    events.forget(this);
    end();
  }
}
