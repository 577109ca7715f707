package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.packet.Packet;

/**
 * A fabric on which packets take as long as an adversary draws, in turns and not in time: those of
 * one route keep their order, and those of different routes have none. Nothing is lost. Owned by
 * the thread that runs the engine.
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
    // Requests and responses of a route have one order.
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

  /** Every packet arrives before time passes: it takes turns alone. */
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
