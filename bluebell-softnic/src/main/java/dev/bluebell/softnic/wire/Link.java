package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.engine.Sleep;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * Sends and receives the RoCEv2 datagrams of a device, without blocking. Owned by the thread that
 * runs the engine. As a {@link Sleep}, it ends when a datagram arrives.
 */
interface Link extends Sleep, AutoCloseable {

  /**
   * Binds a socket to the port of RoCEv2: a {@link BulkSocket} where the system and the process
   * allow it.
   *
   * @throws HcaException when the address can't be bound
   */
  static Link open(InetAddress address) {
    Link bulk = BulkSocket.isPossible() ? BulkSocket.open(address) : null;
    return bulk == null ? UdpSocket.open(address) : bulk;
  }

  /** GID of the device's address. */
  Gid gid();

  /** UDP source port of sent packets; their ICRC covers it. */
  default int port() {
    return Udp.ROCE_PORT;
  }

  /** Bytes of the receive buffer, including the kernel's own overhead. */
  int receiveBufferBytes();

  /** How many packets of equal length this link sends to one peer as one run; 1 for no runs. */
  int longestRun();

  /**
   * True when the received IP and UDP headers precede each payload. Otherwise the header fields
   * that the ICRC covers are unknown.
   */
  default boolean showsHeaders() {
    return false;
  }

  /**
   * Announces that queue pairs other than queue pair 1 will send packets to an address. Queue pair
   * 1 answers any host, so its packets are not announced.
   */
  default void meet(InetAddress peer) {}

  /** Counters in text form, one line each. */
  default List<String> lines() {
    return List.of();
  }

  /** The number of packets that {@link #send} took, and that were not sent, or not yet. */
  default long unsent() {
    return 0;
  }

  /**
   * Sends packets in their order, until all are sent or there is no room for the next one now.
   * Calls {@link Outgoing#sent} for the sent ones.
   *
   * @throws IOException when the network refuses the next {@linkplain Outgoing#run run}
   */
  void send(Outgoing packets) throws IOException;

  /**
   * Receives datagrams that have arrived, as many as there is room for.
   *
   * @param packets receives them; must be empty
   * @return false when no datagram is left; true when there may be more, even if these are none
   */
  boolean receive(Incoming packets);

  @Override
  void close();
}
