package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that inspects each packet before the wrapped fabric carries it, so that requests do not
 * cut through. Owned by the thread that runs the engine.
 */
public abstract class PassingFabric implements OuterFabric {
  private final Fabric inside;

  protected PassingFabric(Fabric inside) {
    this.inside = inside;
  }

  /**
   * Sends, refuses or drops a packet.
   *
   * @param route the wrapped route
   * @return see {@link Route#send}
   */
  protected abstract boolean send(Packet packet, Route route, Work sender);

  /**
   * Payload bytes of one packet or train.
   *
   * @param route the wrapped route
   * @return see {@link Route#burstBytes}
   */
  protected int burstBytes(Route route, int logMtu) {
    return route.burstBytes(logMtu);
  }

  @Override
  public final @Nullable Route open(Path path, Work sender) {
    Route route = inside.open(path, sender);
    return route == null ? null : new Passage(this, route, sender);
  }

  @Override
  public final Fabric inside() {
    return inside;
  }

  private record Passage(PassingFabric fabric, Route inside, Work sender) implements OuterRoute {
    @Override
    public int burstBytes(int logMtu) {
      return fabric.burstBytes(inside, logMtu);
    }

    @Override
    public boolean send(Packet packet) {
      return fabric.send(packet, inside, sender);
    }
  }
}
