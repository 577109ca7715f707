package dev.bluebell.softnic;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A single-threaded, deterministic software ConnectX for tests: each poll steps it, and when it is
 * idle its clock moves on, unless it is held. So timeouts cost no real time, and each run is the
 * same. For one thread; another thread may close a channel that it waits for, or wake it.
 */
public final class VirtualTime extends ForwardingHca {
  /** The step of the clock, in nanoseconds. */
  public static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final SoftNic device;
  private final ManualClock clock;
  private final boolean held;

  /**
   * @param device a stepped one, which this owns from now on
   * @param clock of the device
   * @param held whether only the owner moves the clock
   */
  public VirtualTime(SoftNic device, ManualClock clock, boolean held) {
    super(device);
    this.device = device;
    this.clock = clock;
    this.held = held;
  }

  /**
   * Opens a device whose clock moves on whenever the device is idle.
   *
   * @param options of the device; its clock and engine mode are replaced
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

  /** A channel whose waiting thread steps the device, because no other thread does. */
  private final class SteppingChannel implements HcaEventChannel {
    private final HcaEventChannel channel;
    private final AtomicBoolean woken = new AtomicBoolean();
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

    /**
     * The timeout is in the device's time. If the clock is held, returns once the device is idle.
     */
    @Override
    public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
      long deadline = timeoutNanos < 0 ? Long.MAX_VALUE : clock.nanos() + timeoutNanos;
      while (true) {
        // Virtual time may pass slowly: a test that waits for long must end at its timeout.
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted while waiting for an event");
        }
        int done = progress();
        HcaEvent event = channel.poll();
        if (event != null || woken.getAndSet(false)) {
          return event;
        }
        if (closed || clock.nanos() >= deadline || held && done == 0) {
          return null;
        }
      }
    }

    @Override
    public void wakeup() {
      woken.set(true);
    }

    @Override
    public void close() {
      closed = true;
      channel.close();
    }
  }
}
