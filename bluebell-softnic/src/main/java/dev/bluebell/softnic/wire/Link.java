package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.engine.Sleep;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * Carries the RoCEv2 datagrams of a device. Neither sending nor receiving waits. For the thread
 * that runs the engine. As a {@link Sleep}, it ends when a datagram comes.
 */
interface Link extends Sleep, AutoCloseable {

  /**
   * Binds a socket to the port of RoCEv2: one for many datagrams at a time where this machine and
   * this process have it.
   *
   * @throws IllegalArgumentException when the address can't be bound
   */
  static Link open(InetAddress address) {
    Link bulk = BulkSocket.isPossible() ? BulkSocket.open(address) : null;
    return bulk == null ? UdpSocket.open(address) : bulk;
  }

  /** GID of the device's address. */
  Gid gid();

  /** UDP source port, which the ICRC of what the device sends covers. */
  int port();

  /** Bytes of datagrams that are held until they are received, with the kernel's own overhead. */
  int receiveBufferBytes();

  /**
   * How many packets of equal length this link sends to one peer as one; 1 for no more than one.
   */
  int longestRun();

  /**
   * True when IP and UDP header lie before each received payload, as they came. Otherwise nobody
   * sees what the ICRC covers of them.
   */
  default boolean showsHeaders() {
    return false;
  }

  /** Takes note that there will be packets to an address. */
  default void meet(InetAddress peer) {}

  /** What it counted, for people; a line each. */
  default List<String> lines() {
    return List.of();
  }

  /**
   * Sends packets in their order, until none is left or there is no room for the next one now. What
   * was sent is {@link Outgoing#sent}.
   *
   * @throws IOException when the network refuses the {@linkplain Outgoing#run run} that is next
   */
  void send(Outgoing packets) throws IOException;

  /**
   * Receives the datagrams that have come, as many as there is room for.
   *
   * @param packets of which none is left
   */
  void receive(Incoming packets);

  @Override
  void close();
}
