package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Takes the packets that a fabric delivers. Called by the thread that runs the engine. */
public interface PacketSink {

  /** Whose turns the destination of a packet has; null when it is no client's. */
  @Nullable Client owner(Packet packet);

  /** Takes a packet, which is not used after return. Whatever it says is another's claim. */
  void arrive(Packet packet);

  /**
   * Hears that a fabric lost a packet that it had taken, for explanations.
   *
   * @param why one sentence
   */
  void lost(Packet packet, String why);
}
