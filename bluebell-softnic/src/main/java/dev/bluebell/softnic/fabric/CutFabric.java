package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.packet.Packet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fabric whose port may go down: from then on, nothing that is sent arrives. */
public final class CutFabric implements Fabric {
  private final Fabric inside;
  private final PacketSink sink;
  private final Faults faults;

  /**
   * @param sink hears of what is lost
   */
  public CutFabric(Fabric inside, PacketSink sink, Faults faults) {
    this.inside = inside;
    this.sink = sink;
    this.faults = faults;
  }

  @Override
  public @Nullable Route open(Gid destination, Work sender) {
    Route route = inside.open(destination, sender);
    return route == null ? null : new CutRoute(route, sink, faults);
  }

  @Override
  public Station station() {
    return inside.station();
  }

  @Override
  public List<String> lines() {
    return inside.lines();
  }

  private record CutRoute(Route route, PacketSink sink, Faults faults) implements Route {
    @Override
    public int burstBytes(int logMtu) {
      return route.burstBytes(logMtu);
    }

    @Override
    public boolean isDirect() {
      return false;
    }

    @Override
    public boolean send(Packet packet) {
      if (faults.isCut()) {
        sink.lost(packet, "the port is down, by an injected fault (port-down)");
        return true;
      }
      return route.send(packet);
    }
  }
}
