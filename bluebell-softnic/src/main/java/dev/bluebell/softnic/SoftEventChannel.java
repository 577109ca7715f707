package dev.bluebell.softnic;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.QueuedEventChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a channel. If the device has no thread, the waiting thread runs it. */
final class SoftEventChannel extends QueuedEventChannel {
  private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final SoftNic device;
  private final EventDispatcher dispatcher;

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

  @Override
  public @Nullable HcaEvent poll() {
    device.progress();
    return super.poll();
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    return await(timeoutNanos, this::progress);
  }

  /** Runs the device if nothing else does; returns for how long the thread may rest. */
  private long progress() {
    if (device.progressBeforeRest() > 0) {
      return 0;
    }
    return device.isRunByPollers() ? SLICE_NANOS : Long.MAX_VALUE;
  }

  @Override
  public void close() {
    dispatcher.unsubscribe(this);
    end();
  }
}
