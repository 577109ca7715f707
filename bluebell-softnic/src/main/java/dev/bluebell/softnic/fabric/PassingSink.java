package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/** A sink that inspects each packet before another sink takes it. */
public abstract class PassingSink implements PacketSink {
  private final PacketSink inside;

  protected PassingSink(PacketSink inside) {
    this.inside = inside;
  }

  @Override
  public final @Nullable Client owner(Packet packet) {
    return inside.owner(packet);
  }

  @Override
  public void arrive(Packet packet) {
    inside.arrive(packet);
  }

  @Override
  public final void lost(Packet packet, String why) {
    inside.lost(packet, why);
  }
}
