package dev.bluebell.conformance.binding;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.softnic.EngineMode;
import dev.bluebell.softnic.ManualClock;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A software ConnectX without a thread and without time of its own: who polls it steps it, and when
 * it has nothing to do its clock moves on. So timeouts cost nothing, and each run is the same.
 */
final class VirtualTimeHca extends ForwardingHca {
  private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final SoftNic device;
  private final ManualClock clock;

  VirtualTimeHca(SoftNicOptions options) {
    this(options, new ManualClock());
  }

  private VirtualTimeHca(SoftNicOptions options, ManualClock clock) {
    this(SoftNic.open(options.withEngine(EngineMode.STEPPED).withClock(clock)), clock);
  }

  private VirtualTimeHca(SoftNic device, ManualClock clock) {
    super(device);
    this.device = device;
    this.clock = clock;
  }

  @Override
  public int progress() {
    int done = device.step();
    if (done == 0) {
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
    public @Nullable HcaEvent poll() {
      progress();
      return channel.poll();
    }

    @Override
    public @Nullable HcaEvent await(long timeoutNanos) {
      long deadline = clock.nanos() + timeoutNanos;
      while (true) {
        HcaEvent event = poll();
        if (event != null || closed || clock.nanos() >= deadline) {
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

  @Override
  public String name() {
    return "virtual";
  }
}
