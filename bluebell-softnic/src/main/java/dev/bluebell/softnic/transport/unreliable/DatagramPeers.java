package dev.bluebell.softnic.transport.unreliable;

import org.jspecify.annotations.Nullable;

/** The responders of this device that datagrams may cut through to. */
public interface DatagramPeers {

  /** The responder of a queue pair; null when there is none that takes datagrams. */
  @Nullable UdResponder datagrams(int qpn);
}
