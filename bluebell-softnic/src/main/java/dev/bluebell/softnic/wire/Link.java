package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.engine.Sleep;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Carries the RoCEv2 datagrams of a device. Neither sending nor receiving waits. For whoever runs
 * the engine. As a {@link Sleep}, it ends when a datagram comes.
 */
interface Link extends Sleep, AutoCloseable {

  /** GID of the device's address. */
  Gid gid();

  /** UDP source port, which the ICRC of what the device sends covers. */
  int port();

  /** Bytes of datagrams that are held until they are received, with the kernel's own overhead. */
  int receiveBufferBytes();

  /**
   * Sends a packet.
   *
   * @param packet with the UDP payload between position and limit, and IP and UDP header before it
   * @return false when there is no room for it now
   * @throws IOException when the network refuses it
   */
  boolean send(ByteBuffer packet, InetSocketAddress destination) throws IOException;

  /**
   * Receives a UDP payload from the position on; one that is longer than the room is cut.
   *
   * @return who sent it; null when there is none
   */
  @Nullable Sender receive(ByteBuffer room);

  @Override
  void close();
}
