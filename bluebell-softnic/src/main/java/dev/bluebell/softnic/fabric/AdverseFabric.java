package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fabric on which packets take as long as an adversary draws, in turns and not in time: those of
 * one route keep their order, and those of different routes have none. Nothing is lost, and nothing
 * is allocated for a packet. Owned by whoever runs the engine.
 */
public final class AdverseFabric extends Work implements Fabric {
  /** Turns that a packet is on its way at most. */
  private static final int LONGEST = 64;

  private final Fabric inside;
  private final Explanations explanations;
  private final Scheduler scheduler;
  private final Adversary adversary;
  private final HeldPackets held = new HeldPackets();
  private final List<AdverseRoute> waiting = new ArrayList<>();
  private long turns;

  // What is being delivered: at which the device may fail.
  private @Nullable Packet delivered;

  /**
   * @param inside carries the packets on
   */
  public AdverseFabric(
      Fabric inside, Explanations explanations, Scheduler scheduler, Adversary adversary) {
    this.inside = inside;
    this.explanations = explanations;
    this.scheduler = scheduler;
    this.adversary = adversary;
  }

  @Override
  public @Nullable Route open(Gid destination, Work sender) {
    Route route = inside.open(destination, this);
    return route == null ? null : new AdverseRoute(route, sender);
  }

  @Override
  public Gid gid(int index) {
    return inside.gid(index);
  }

  /** The way to a GID. */
  private final class AdverseRoute implements Route {
    private final Route route;
    private final Work sender;
    private boolean isWaiting;

    // The turn in which the packet before arrives.
    private long lastDue;

    AdverseRoute(Route route, Work sender) {
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
      if (!held.hasRoom(1)) {
        if (!isWaiting) {
          isWaiting = true;
          waiting.add(this);
        }
        return false;
      }
      lastDue = Math.max(lastDue, turns + adversary.below(LONGEST + 1));
      held.hold(packet, route, lastDue, false);
      scheduler.activate(AdverseFabric.this);
      return true;
    }

    void wake() {
      isWaiting = false;
      scheduler.activate(sender);
    }
  }

  @Override
  protected int turn() {
    turns++;
    int done = 0;
    while (held.nextDue() <= turns) {
      if (!deliver(held.take())) {
        // The fabric inside activates this one when it has room.
        return done;
      }
      done++;
    }
    for (int i = 0; i < waiting.size(); i++) {
      waiting.get(i).wake();
    }
    waiting.clear();
    return held.nextDue() == Long.MAX_VALUE ? done : done + 1;
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
    return delivered == null ? "the fabric" : delivered.toString();
  }
}
