package dev.bluebell.test;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.softnic.ManualClock;
import dev.bluebell.softnic.SoftNic;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stepped device that is run by who polls it, and whose clock moves on when nothing happens,
 * unless it is held.
 */
final class VirtualTime extends ForwardingHca {
  static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final SoftNic device;
  private final ManualClock clock;
  private final boolean held;

  VirtualTime(SoftNic device, ManualClock clock, boolean held) {
    super(device);
    this.device = device;
    this.clock = clock;
    this.held = held;
  }

  @Override
  public int progress() {
    int done = device.step();
    if (done == 0 && !held) {
      clock.advance(TICK_NANOS);
    }
    return done;
  }

  @Override
  public HcaEventChannel openEventChannel() {
    return new SteppingChannel(device.openEventChannel());
  }

  /** Waiters run the device, because nobody else does. */
  private final class SteppingChannel implements HcaEventChannel {
    private final HcaEventChannel channel;
    private volatile boolean closed;

    SteppingChannel(HcaEventChannel channel) {
      this.channel = channel;
    }

    @Override
    public void subscribe(@Nullable HcaObject object, int type, long cookie) {
      channel.subscribe(object, type, cookie);
    }

    @Override
    public void unsubscribe(@Nullable HcaObject object, int type, long cookie) {
      channel.unsubscribe(object, type, cookie);
    }

    @Override
    public @Nullable HcaEvent poll() {
      int unused = progress();
      return channel.poll();
    }

    /** The time is that of the device; where it is held, nothing more comes once it is idle. */
    @Override
    public @Nullable HcaEvent await(long timeoutNanos) {
      long deadline = timeoutNanos < 0 ? Long.MAX_VALUE : clock.nanos() + timeoutNanos;
      while (true) {
        int done = progress();
        HcaEvent event = channel.poll();
        if (event != null || closed || clock.nanos() >= deadline || held && done == 0) {
          return event;
        }
      }
    }

    @Override
    public void close() {
      closed = true;
      channel.close();
    }
  }
}
