package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Takes the packets that a fabric delivers. Called by the thread that runs the engine. */
public interface PacketSink {

  /**
   * The client whose memory a packet is for: the packet can't be delivered while that client waits
   * for a page. Null when there is no such client, and for datagrams to a group.
   */
  @Nullable Client owner(Packet packet);

  /** Takes a packet, which is not used after return. Its fields are untrusted. */
  void arrive(Packet packet);

  /**
   * Reports a packet that a fabric had taken and then lost, for explanations.
   *
   * @param why one sentence
   */
  void lost(Packet packet, String why);
}
