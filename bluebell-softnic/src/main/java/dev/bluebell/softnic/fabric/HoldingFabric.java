package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.HcaObserver;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that holds packets, requests and responses alike, until they are due, on a clock that
 * the subclass chooses. Packets for a client whose page is awaited stay here meanwhile, up to a
 * limit, and all others pass them. A packet allocates nothing unless more are held than ever
 * before. Owned by the thread that runs the engine.
 */
abstract class HoldingFabric extends Work implements OuterFabric {
  private static final int PACKETS_PER_TURN = 64;

  /** The most packets that stay here because a page is awaited; more are lost. */
  private static final int MOST_STRANDED = HeldPackets.CAPACITY / 4;

  private final Fabric inside;
  private final Explanations explanations;
  private final Scheduler scheduler;
  private final int mostCopies;
  private final HeldPackets held = new HeldPackets();
  private final List<HeldRoute> waiting = new ArrayList<>();

  // Packets that are due, but whose receivers wait for a page; and those that are being delivered
  // by suspended turns.
  private final List<HeldPacket> stranded = new ArrayList<>();
  private final List<HeldPacket> suspended = new ArrayList<>();

  // Whether the current turn was suspended, and whether a full room was explained.
  private boolean wasSuspended;
  private boolean isFullExplained;

  // The packet that is being delivered, at which the device may fail.
  private @Nullable HeldPacket delivered;

  /**
   * @param inside carries the packets when they are due
   * @param mostCopies how many packets one sent packet may become
   */
  HoldingFabric(Fabric inside, Explanations explanations, Scheduler scheduler, int mostCopies) {
    this.inside = inside;
    this.explanations = explanations;
    this.scheduler = scheduler;
    this.mostCopies = mostCopies;
  }

  @Override
  public @Nullable Route open(Path path, Work sender) {
    Route route = inside.open(path, this);
    return route == null ? null : new HeldRoute(route, sender);
  }

  @Override
  public Fabric inside() {
    return inside;
  }

  // ---- sending

  /** An open path and its state. */
  final class HeldRoute implements OuterRoute {
    final Route route;
    private final Work sender;
    private boolean isWaiting;

    /** When the last request and the last response sent here are due. */
    long requestsDue;

    long responsesDue;

    /** Longest delay of a packet, where the fabric draws that; 0 before it has. */
    int longest;

    HeldRoute(Route route, Work sender) {
      this.route = route;
      this.sender = sender;
    }

    @Override
    public int burstBytes(int logMtu) {
      return 1 << logMtu;
    }

    @Override
    public Route inside() {
      return route;
    }

    @Override
    public boolean send(Packet packet) {
      if (held.hasRoom(mostCopies)) {
        take(this, packet);
        return true;
      }
      if (!isWaiting) {
        isWaiting = true;
        waiting.add(this);
      }
      return false;
    }

    /** A packet that this fabric refuses waits for room here. */
    @Override
    public boolean isHeldUp(Packet packet) {
      return false;
    }

    @Override
    public boolean isLate(int qpn, long due) {
      return held.holds(qpn, ownTime(due)) || isDetained(qpn) || route.isLate(qpn, due);
    }

    void wake() {
      isWaiting = false;
      scheduler.activate(sender);
    }
  }

  /** Takes a packet to be sent; there is room for it. */
  abstract void take(HeldRoute way, Packet packet);

  /** True while a packet is held that no later one may overtake. */
  final boolean keepsOrder() {
    return held.keepsOrder();
  }

  /**
   * Holds a packet.
   *
   * @param due when it continues
   * @param keepsOrder false when later packets may overtake it
   */
  final void hold(Packet packet, HeldRoute way, long due, boolean keepsOrder) {
    held.hold(packet, way.route, due, keepsOrder);
    noteHeld();
  }

  /** Called after a packet was added to the held ones. */
  abstract void noteHeld();

  /** When the next packet is due; {@link Long#MAX_VALUE} when none is held. */
  final long nextDue() {
    return held.nextDue();
  }

  private boolean isDetained(int qpn) {
    return stranded.stream().anyMatch(packet -> packet.isOf(qpn))
        || suspended.stream().anyMatch(packet -> packet.isOf(qpn));
  }

  // ---- delivering

  /** The time at the beginning of a turn. */
  abstract long now();

  /** Converts a time of the device's clock to the clock of this fabric. */
  abstract long ownTime(long nanos);

  /**
   * Ends a turn that delivered every packet that was due.
   *
   * @param done how many it delivered
   * @return the result of the turn
   */
  abstract int end(int done);

  @Override
  protected final int turn() {
    if (!stranded.isEmpty()) {
      takeUpStranded();
    }
    long now = now();
    int done = 0;
    while (done < PACKETS_PER_TURN
        && scheduler.effort().spent() < scheduler.bytesPerTurn()
        && held.nextDue() <= now) {
      if (!deliver(held.take())) {
        // The fabric inside activates this one when it has room.
        return done;
      }
      done++;
      if (wasSuspended) {
        // Others may have set packets aside meanwhile, which come first.
        wasSuspended = false;
        return done;
      }
    }
    wakeSenders();
    return end(done);
  }

  /** Delivers a packet; false when there is no room for it. */
  private boolean deliver(HeldPacket packet) {
    Route route = Objects.requireNonNull(packet.route);
    boolean refused = false;
    delivered = packet;
    try {
      refused = !route.send(packet.packet);
    } finally {
      if (suspended.remove(packet)) {
        wasSuspended = true;
        delivered = packet;
      }
      // Even if its receiver fails, the packet is not delivered again.
      if (!refused) {
        held.release(packet);
      }
    }
    delivered = null;
    if (refused && route.isHeldUp(packet.packet)) {
      strand(packet);
      return true;
    }
    if (refused) {
      held.putBack(packet);
    }
    return !refused;
  }

  private void strand(HeldPacket packet) {
    if (stranded.size() < MOST_STRANDED) {
      stranded.add(packet);
      return;
    }
    if (!isFullExplained) {
      isFullExplained = true;
      explanations.add(
          HcaObserver.Subject.QUEUE_PAIR,
          packet.packet.sourceQpn,
          "%s loses packets, first from QP 0x%x to QP 0x%x: %d packets already wait for pages of their receivers' memory"
              .formatted(
                  describe(),
                  packet.packet.sourceQpn,
                  packet.packet.destinationQpn,
                  MOST_STRANDED));
    }
    held.release(packet);
  }

  /** Puts back the packets whose receivers no longer wait; they keep their order. */
  private void takeUpStranded() {
    stranded.removeIf(
        packet -> {
          if (Objects.requireNonNull(packet.route).isHeldUp(packet.packet)) {
            return false;
          }
          held.putBack(packet);
          return true;
        });
    isFullExplained &= !stranded.isEmpty();
  }

  @Override
  protected boolean leave() {
    if (delivered != null) {
      suspended.add(delivered);
      delivered = null;
    }
    return true;
  }

  private void wakeSenders() {
    if (!waiting.isEmpty() && held.hasRoom(mostCopies)) {
      for (int i = 0; i < waiting.size(); i++) {
        waiting.get(i).wake();
      }
      waiting.clear();
    }
  }

  /** The packet at which the device failed is gone; the others continue. */
  @Override
  protected void abandon(String why) {
    wasSuspended = false;
    if (delivered != null) {
      explanations.add(HcaObserver.Subject.QUEUE_PAIR, delivered.packet.sourceQpn, why);
      delivered = null;
    }
    scheduler.activate(this);
  }

  /** The packet that is being delivered, if any, because only it can have caused a failure. */
  @Override
  public final String toString() {
    return delivered == null ? describe() : delivered.packet.toString();
  }

  /** Name of the fabric in explanations. */
  abstract String describe();
}
