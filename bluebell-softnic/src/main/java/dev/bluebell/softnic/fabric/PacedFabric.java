package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that limits the rate of each route out of the device by {@link Dcqcn}, once a peer has
 * notified it of congestion. A packet that comes too early is refused, and its sender is activated
 * when it may send. Packets without payload and packets within the device are not delayed. Nothing
 * is allocated for a packet. Owned by the thread that runs the engine.
 */
public final class PacedFabric implements OuterFabric {
  /**
   * How far a sender that had no turn may be behind its rate and still catch up. Without this, the
   * time between two turns of the engine would lower the rate.
   */
  private static final long CREDIT_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private static final double GIGA = 1e9;

  private final Fabric inside;
  private final DeviceTime time;
  private final Explanations explanations;
  private final Scheduler scheduler;

  public PacedFabric(
      Fabric inside, DeviceTime time, Explanations explanations, Scheduler scheduler) {
    this.inside = inside;
    this.time = time;
    this.explanations = explanations;
    this.scheduler = scheduler;
  }

  @Override
  public @Nullable Route open(Path path, Work sender) {
    Route route = inside.open(path, sender);
    return route == null || route.isDirect() ? route : new PacedRoute(route, sender);
  }

  @Override
  public Fabric inside() {
    return inside;
  }

  private final class PacedRoute extends Work implements OuterRoute {
    private final Route route;
    private final Work sender;
    private final Dcqcn control = new Dcqcn();

    /** When all sent bytes have left at the current rate. */
    private long busyUntil = Long.MIN_VALUE;

    private long wakeAt = Long.MAX_VALUE;

    PacedRoute(Route route, Work sender) {
      this.route = route;
      this.sender = sender;
    }

    @Override
    public Route inside() {
      return route;
    }

    @Override
    public boolean slowDown() {
      control.cut(time.now());
      return true;
    }

    @Override
    public String pace() {
      control.advance(time.now());
      return control.isLimited()
          ? ", at %.3f Gb/s because of congestion".formatted(control.rate() / GIGA)
          : "";
    }

    @Override
    public boolean send(Packet packet) {
      if (packet.payloadBytes == 0 || !control.isLimited()) {
        return route.send(packet);
      }
      long now = time.now();
      if (now < busyUntil) {
        wakeAt = busyUntil;
        scheduler.schedule(this);
        return false;
      }
      if (!route.send(packet)) {
        return false;
      }
      int bytes = packet.payloadBytes + packet.packets * Counters.HEADER_BYTES;
      control.advance(now);
      busyUntil = Math.max(busyUntil, now - CREDIT_NANOS) + control.nanos(bytes);
      control.sent(bytes);
      return true;
    }

    @Override
    protected long deadline() {
      return wakeAt;
    }

    @Override
    protected void onTimer() {
      wakeAt = Long.MAX_VALUE;
      scheduler.activate(sender);
    }

    @Override
    protected void abandon(String why) {
      explanations.add(why);
    }
  }
}
