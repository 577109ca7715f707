package dev.bluebell.softnic.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A link that carries one datagram at a time. */
interface SingleLink extends Link {

  /**
   * Sends a packet.
   *
   * @param packet with the UDP payload between position and limit, and IP and UDP header before it
   * @return false when there is no room for it now
   * @throws IOException when the network refuses it
   */
  boolean send(ByteBuffer packet, InetSocketAddress destination) throws IOException;

  /**
   * Receives a UDP payload from the position on, and truncates it to the room.
   *
   * @return its sender; null when no datagram has arrived
   */
  @Nullable Sender receive(ByteBuffer room);

  @Override
  default int longestRun() {
    return 1;
  }

  @Override
  default void send(Outgoing packets) throws IOException {
    while (!packets.isEmpty() && send(packets.first(), packets.destination())) {
      packets.sent(1);
    }
  }

  @Override
  default void receive(Incoming packets) {
    while (!packets.isFull()) {
      ByteBuffer room = packets.room();
      int from = room.position();
      Sender source = receive(room);
      if (source == null) {
        return;
      }
      // A Java channel hides the traffic class; an Ethernet frame has it in its IP header.
      packets.add(source, room.position() - from, 0, 0);
    }
  }
}
