package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * The fabric within the device: queue pairs of one device reach each other without a wire. It loses
 * nothing, and has room unless the destination's client waits for a page of its memory.
 */
public final class Loopback implements Fabric {
  /**
   * Trains may have many packets here, as with segmentation offload: one big copy is cheaper than
   * many small ones.
   */
  private static final int LOG_BURST_PACKETS = 4;

  private final Engine engine;
  private final Station station;
  private final PacketSink sink;

  /**
   * @param engine knows which clients can't take packets now
   * @param station the port of this device
   * @param sink takes all packets
   */
  public Loopback(Engine engine, Station station, PacketSink sink) {
    this.engine = engine;
    this.station = station;
    this.sink = sink;
  }

  @Override
  public @Nullable Route open(Path path, Work sender) {
    return path.leadsHere() ? new Inside(engine, sink, sender) : null;
  }

  @Override
  public Station station() {
    return station;
  }

  private record Inside(Engine engine, PacketSink sink, Work sender) implements Route {
    @Override
    public int burstBytes(int logMtu) {
      return 1 << logMtu + LOG_BURST_PACKETS;
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public boolean send(Packet packet) {
      if (isHeldUp(packet)) {
        return false;
      }
      sink.arrive(packet);
      return true;
    }

    @Override
    public boolean isHeldUp(Packet packet) {
      if (!engine.hasSleepingTurns()) {
        return false;
      }
      Client receiver = sink.owner(packet);
      if (receiver == null || !engine.isHeldUp(receiver)) {
        return false;
      }
      engine.activateLater(sender, receiver);
      return true;
    }
  }
}
