package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fabric inside the device: queue pairs of one device reach each other without a wire. Nothing
 * is lost here, and there is room unless the destination's program waits for a page of its memory.
 */
public final class Loopback implements Fabric {
  /**
   * One train may have many packets here, as segmentation offload does it: big copies are cheaper
   * than many small ones.
   */
  private static final int LOG_BURST_PACKETS = 4;

  private final Predicate<Gid> isOwn;
  private final IntFunction<Gid> gids;
  private final Route route;

  /**
   * @param engine knows which programs take nothing now
   * @param isOwn tells the GIDs of this device
   * @param gids the table of those GIDs
   * @param sink takes all packets
   */
  public Loopback(Engine engine, Predicate<Gid> isOwn, IntFunction<Gid> gids, PacketSink sink) {
    this.isOwn = isOwn;
    this.gids = gids;
    route = new Inside(engine, sink);
  }

  @Override
  public @Nullable Route open(Gid destination, Work sender) {
    return isOwn.test(destination) ? route : null;
  }

  @Override
  public Gid gid(int index) {
    return gids.apply(index);
  }

  private record Inside(Engine engine, PacketSink sink) implements Route {
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
      if (engine.hasSleepingTurns() && engine.isHeldUp(sink.owner(packet))) {
        return false;
      }
      sink.arrive(packet);
      return true;
    }
  }
}
