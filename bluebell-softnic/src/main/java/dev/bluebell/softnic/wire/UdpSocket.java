package dev.bluebell.softnic.wire;

import dev.bluebell.softnic.engine.Sleep;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What RoCEv2 needs of a UDP socket. Neither sending nor receiving waits. For whoever runs the
 * engine. As a {@link Sleep}, it ends when a datagram comes.
 */
public interface UdpSocket extends Sleep, AutoCloseable {

  /** Its port, which the ICRC of what it sends covers. */
  int port();

  /** Bytes of datagrams that the kernel holds until they are received, with its own overhead. */
  int receiveBufferBytes();

  /**
   * Sends what lies between position and limit.
   *
   * @return false when there is no room for it now
   * @throws IOException when the network refuses it
   */
  boolean send(ByteBuffer datagram, InetSocketAddress destination) throws IOException;

  /**
   * Receives a datagram from the position on; one that is longer than the room is cut.
   *
   * @return who sent it; null when there is none
   */
  @Nullable Sender receive(ByteBuffer room);

  @Override
  void close();
}
