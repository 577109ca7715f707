package dev.bluebell.softnic;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A software ConnectX without a thread and without time of its own, for tests: who polls it steps
 * it, and when it has nothing to do its clock moves on, unless it is held. So timeouts cost
 * nothing, and each run is the same. For one thread; another may close what that one waits for.
 */
public final class VirtualTime extends ForwardingHca {
  /** How far the clock moves on at a time, in nanoseconds. */
  public static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final SoftNic device;
  private final ManualClock clock;
  private final boolean held;

  /**
   * @param device a stepped one, which this owns from now on
   * @param clock of the device
   * @param held whether the clock moves by its owner's hand alone
   */
  public VirtualTime(SoftNic device, ManualClock clock, boolean held) {
    super(device);
    this.device = device;
    this.clock = clock;
    this.held = held;
  }

  /**
   * Opens a device whose clock moves on whenever there is nothing to do.
   *
   * @param options of the device; it has a clock and a mode of its own
   */
  public static VirtualTime open(SoftNicOptions options) {
    ManualClock clock = new ManualClock();
    SoftNic nic = SoftNic.open(options.withEngine(EngineMode.STEPPED).withClock(clock));
    return new VirtualTime(nic, clock, false);
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
