package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A fabric that behaves like a bad network: it loses, duplicates, delays and reorders packets,
 * requests and responses alike, driven by a seeded random generator. All packets share one wire and
 * keep their order on it, except those that are held back. Nothing is allocated for a packet. Owned
 * by the thread that runs the engine.
 */
public final class LossyFabric extends ClockedFabric {
  /** The longest time for which a reordered packet is held back beyond the longest delay. */
  static final long HOLD_BACK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** A packet and its duplicate. */
  private static final int MOST_COPIES = 2;

  private final PacketSink sink;
  private final FlightRecorder recorder;
  private final LossOptions options;
  private final SplittableRandom random;
  private final String whyLost;

  // Until when packets that no later one may overtake occupy the wire.
  private long lastDue = Long.MIN_VALUE;

  private long sent;
  private long lost;
  private long duplicated;
  private long delayed;
  private long reordered;

  /**
   * @param inside carries the packets that are not lost
   * @param sink is notified of those that are
   */
  public LossyFabric(
      Fabric inside,
      PacketSink sink,
      DeviceTime time,
      FlightRecorder recorder,
      Explanations explanations,
      Scheduler scheduler,
      LossOptions options) {
    super(inside, time, explanations, scheduler, MOST_COPIES);
    this.sink = sink;
    this.recorder = recorder;
    this.options = options;
    random = new SplittableRandom(options.seed());
    whyLost = "the lossy fabric lost it (%s)".formatted(options);
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>(super.lines());
    lines.add(
        "fabric %s: %,d packets sent, %,d lost, %,d reordered, %,d duplicated, %,d delayed"
            .formatted(options, sent, lost, reordered, duplicated, delayed));
    return lines;
  }

  // ---- sending

  @Override
  void take(HeldRoute way, Packet packet) {
    sent++;
    if (isDrawn(options.loss())) {
      lost++;
      recorder.record(HcaHappening.LOST, packet.sourceQpn, 0, packet.psn);
      sink.lost(packet, whyLost);
      return;
    }
    carry(way, packet);
    if (isDrawn(options.duplicate())) {
      duplicated++;
      carry(way, packet);
    }
  }

  private void carry(HeldRoute way, Packet packet) {
    long now = time.now();
    if (isDrawn(options.reorder())) {
      reordered++;
      long heldBack = options.delayNanos() + 1 + random.nextLong(HOLD_BACK_NANOS);
      hold(packet, way, now + heldBack, false);
      return;
    }
    long wait = options.delayNanos() == 0 ? 0 : random.nextLong(options.delayNanos() + 1);
    delayed += wait > 0 ? 1 : 0;
    lastDue = Math.max(lastDue, now + wait);
    if (lastDue > now || keepsOrder() || !way.route.send(packet)) {
      hold(packet, way, lastDue, true);
    }
  }

  private boolean isDrawn(double share) {
    return share > 0 && random.nextDouble() < share;
  }

  @Override
  String describe() {
    return "the lossy fabric";
  }
}
