package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.softnic.LossOptions;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that treats packets as a bad network does: it loses, repeats, delays and reorders them,
 * requests and responses alike, as a seeded random says. All packets share one wire and keep their
 * order on it, but for those that are held back. Nothing is allocated for a packet. Owned by
 * whoever runs the engine.
 */
public final class LossyFabric extends Work implements Fabric {
  /** How long a packet that is to be overtaken is held back beyond the longest delay, at most. */
  static final long HOLD_BACK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** A packet and its duplicate. */
  private static final int MOST_COPIES = 2;

  private static final int PACKETS_PER_TURN = 64;

  private final Fabric inside;
  private final PacketSink sink;
  private final DeviceTime time;
  private final FlightRecorder recorder;
  private final Explanations explanations;
  private final Scheduler scheduler;
  private final LossOptions options;
  private final SplittableRandom random;
  private final String whyLost;
  private final HeldPackets held = new HeldPackets();
  private final List<LossyRoute> waiting = new ArrayList<>();

  // Until when the wire is taken by packets that none may overtake.
  private long lastDue = Long.MIN_VALUE;

  // True from the time at which a packet arrives until none does: turns are given meanwhile, and
  // there is no deadline.
  private boolean delivering;

  // What is being delivered: at which the device may fail.
  private @Nullable Packet delivered;

  private long sent;
  private long lost;
  private long duplicated;
  private long delayed;
  private long reordered;

  /**
   * @param inside carries the packets that are not lost
   * @param sink hears of those that are
   */
  public LossyFabric(
      Fabric inside,
      PacketSink sink,
      DeviceTime time,
      FlightRecorder recorder,
      Explanations explanations,
      Scheduler scheduler,
      LossOptions options) {
    this.inside = inside;
    this.sink = sink;
    this.time = time;
    this.recorder = recorder;
    this.explanations = explanations;
    this.scheduler = scheduler;
    this.options = options;
    random = new SplittableRandom(options.seed());
    whyLost = "the lossy fabric lost it (%s)".formatted(options);
  }

  @Override
  public @Nullable Route open(Gid destination, Work sender) {
    Route route = inside.open(destination, this);
    return route == null ? null : new LossyRoute(route, sender);
  }

  @Override
  public Gid gid(int index) {
    return inside.gid(index);
  }

  @Override
  public List<String> lines() {
    return List.of(
        "fabric %s: %,d packets sent, %,d lost, %,d reordered, %,d duplicated, %,d delayed"
            .formatted(options, sent, lost, reordered, duplicated, delayed));
  }

  // ---- what is sent

  /** The way to a GID, with all that happens on it. */
  private final class LossyRoute implements Route {
    private final Route route;
    private final Work sender;
    private boolean isWaiting;

    LossyRoute(Route route, Work sender) {
      this.route = route;
      this.sender = sender;
    }

    @Override
    public int burstBytes(int logMtu) {
      return 1 << logMtu;
    }

    @Override
    public boolean isDirect() {
      return false;
    }

    @Override
    public boolean send(Packet packet) {
      if (held.hasRoom(MOST_COPIES)) {
        take(route, packet);
        return true;
      }
      if (!isWaiting) {
        isWaiting = true;
        waiting.add(this);
      }
      return false;
    }

    void wake() {
      isWaiting = false;
      scheduler.activate(sender);
    }
  }

  private void take(Route route, Packet packet) {
    sent++;
    if (isDrawn(options.loss())) {
      lost++;
      recorder.record(Happening.LOST, packet.sourceQpn, 0, packet.psn);
      sink.lost(packet, whyLost);
      return;
    }
    carry(route, packet);
    if (isDrawn(options.duplicate())) {
      duplicated++;
      carry(route, packet);
    }
  }

  private void carry(Route route, Packet packet) {
    long now = time.now();
    if (isDrawn(options.reorder())) {
      reordered++;
      long heldBack = options.delayNanos() + 1 + random.nextLong(HOLD_BACK_NANOS);
      hold(packet, route, now + heldBack, false);
      return;
    }
    long wait = options.delayNanos() == 0 ? 0 : random.nextLong(options.delayNanos() + 1);
    delayed += wait > 0 ? 1 : 0;
    lastDue = Math.max(lastDue, now + wait);
    if (lastDue > now || held.keepsOrder() || !route.send(packet)) {
      hold(packet, route, lastDue, true);
    }
  }

  private boolean isDrawn(double share) {
    return share > 0 && random.nextDouble() < share;
  }

  private void hold(Packet packet, Route route, long due, boolean keepsOrder) {
    held.hold(packet, route, due, keepsOrder);
    if (!delivering) {
      scheduler.schedule(this);
    }
  }

  // ---- what arrives

  @Override
  protected long deadline() {
    return delivering ? Long.MAX_VALUE : held.nextDue();
  }

  @Override
  protected void onTimer() {
    delivering = true;
    scheduler.activate(this);
  }

  @Override
  protected int turn() {
    long now = time.now();
    int done = 0;
    while (done < PACKETS_PER_TURN && held.nextDue() <= now) {
      if (!deliver(held.take())) {
        // The fabric inside activates this one when it has room.
        return done;
      }
      done++;
    }
    wakeSenders();
    if (done == 0) {
      delivering = false;
      scheduler.schedule(this);
    }
    return done;
  }

  /** Lets a packet go on; false when there is no room for it. */
  private boolean deliver(HeldPacket packet) {
    boolean refused = false;
    delivered = packet.packet;
    try {
      refused = !Objects.requireNonNull(packet.route).send(packet.packet);
    } finally {
      // Whatever its receiver makes of it, it is not delivered again.
      if (refused) {
        held.putBack(packet);
      } else {
        held.release(packet);
      }
    }
    delivered = null;
    return !refused;
  }

  private void wakeSenders() {
    if (!waiting.isEmpty() && held.hasRoom(MOST_COPIES)) {
      for (int i = 0; i < waiting.size(); i++) {
        waiting.get(i).wake();
      }
      waiting.clear();
    }
  }

  /** The packet at which the device failed is gone; the others go on. */
  @Override
  protected void abandon(String why) {
    if (delivered != null) {
      explanations.add(HcaObserver.Subject.QUEUE_PAIR, delivered.sourceQpn, why);
      delivered = null;
    }
    scheduler.activate(this);
  }

  /** The packet that is being delivered, if one is, as nothing else is to blame for a failure. */
  @Override
  public String toString() {
    return delivered == null ? "the lossy fabric" : delivered.toString();
  }
}
