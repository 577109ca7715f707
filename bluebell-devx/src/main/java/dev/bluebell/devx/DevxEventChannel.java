package dev.bluebell.devx;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.QueuedEventChannel;
import org.jspecify.annotations.Nullable;

/** The queue of a channel's events, filled by the device's event thread. */
final class DevxEventChannel extends QueuedEventChannel {
  private final DeviceEvents events;

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

  @Override
  public void close() {
    events.forget(this);
    end();
  }
}
