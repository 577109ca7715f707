package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.engine.Sleep;
import java.io.IOException;
import java.util.List;

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

  /** How many packets of equal length this link sends to one peer as one; 1 for no more than one. */
  int longestRun();

  /**
   * True when IP and UDP header lie before each received payload, as they came. Otherwise nobody
   * sees what the ICRC covers of them.
   */
  default boolean showsHeaders() {
    return false;
  }

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
