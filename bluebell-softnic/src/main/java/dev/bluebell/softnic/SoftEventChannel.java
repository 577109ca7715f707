package dev.bluebell.softnic;

import dev.bluebell.hca.EventQueue;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a channel. If the device has no thread, the waiting thread runs it. */
final class SoftEventChannel implements HcaEventChannel {
  private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final SoftNic device;
  private final EventDispatcher dispatcher;
  private final EventQueue queue = new EventQueue();

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

  /** Adds an event. */
  void offer(HcaEvent event) {
    queue.offer(event);
  }

  @Override
  public @Nullable HcaEvent poll() {
    device.progress();
    return queue.poll();
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    return queue.await(timeoutNanos, this::progress);
  }

  /** Runs the device if nothing else does; returns for how long the thread may rest. */
  private long progress() {
    if (device.progressBeforeRest() > 0) {
      return 0;
    }
    return device.isRunByPollers() ? SLICE_NANOS : Long.MAX_VALUE;
  }

  @Override
  public void wakeup() {
    queue.wakeup();
  }

  @Override
  public void close() {
    dispatcher.unsubscribe(this);
    queue.end();
  }
}
