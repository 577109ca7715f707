package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.packet.Packet;

/**
 * A fabric that delays each packet by a number of turns (not by time) that an adversary draws.
 * Packets of one route keep their order; packets of different routes have none. Nothing is lost.
 * Owned by the thread that runs the engine.
 */
public final class AdverseFabric extends HoldingFabric {
  private final Scheduler scheduler;
  private final Adversary adversary;
  private long turns;

  /**
   * @param inside carries the packets on
   */
  public AdverseFabric(
      Fabric inside, Explanations explanations, Scheduler scheduler, Adversary adversary) {
    super(inside, explanations, scheduler, 1);
    this.scheduler = scheduler;
    this.adversary = adversary;
  }

  @Override
  void take(HeldRoute way, Packet packet) {
    // Requests and responses of a route share one order.
    if (way.longest == 0) {
      way.longest = adversary.way();
    }
    way.requestsDue = Math.max(way.requestsDue, turns + adversary.below(way.longest + 1));
    hold(packet, way, way.requestsDue, false);
  }

  @Override
  void noteHeld() {
    scheduler.activate(this);
  }

  @Override
  long now() {
    return ++turns;
  }

  /** Delays are turns only, so every packet arrives before any time passes. */
  @Override
  long ownTime(long nanos) {
    return Long.MAX_VALUE;
  }

  @Override
  int end(int done) {
    return nextDue() == Long.MAX_VALUE ? done : done + 1;
  }

  @Override
  String describe() {
    return "the fabric";
  }
}
