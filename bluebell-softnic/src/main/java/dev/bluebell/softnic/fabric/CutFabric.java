package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.packet.Packet;

/** A fabric whose port may go down: while it is down, all packets are lost. */
public final class CutFabric extends PassingFabric {
  private final PacketSink sink;
  private final Faults faults;

  /**
   * @param sink is notified of lost packets
   */
  public CutFabric(Fabric inside, PacketSink sink, Faults faults) {
    super(inside);
    this.sink = sink;
    this.faults = faults;
  }

  @Override
  protected boolean send(Packet packet, Route route, Work sender) {
    if (faults.isCut()) {
      sink.lost(packet, "the port is down because of an injected fault (port-down or port-reset)");
      return true;
    }
    return route.send(packet);
  }

  /** Delivers packets from the network while the port is up. */
  public static final class Sink extends PassingSink {
    private final Faults faults;

    /**
     * @param sink takes all packets
     */
    public Sink(PacketSink sink, Faults faults) {
      super(sink);
      this.faults = faults;
    }

    @Override
    public void arrive(Packet packet) {
      if (!faults.isCut()) {
        super.arrive(packet);
      }
    }
  }
}
