package dev.bluebell.softnic.transport.unreliable;

import org.jspecify.annotations.Nullable;

/** Finds the responders of this device to which datagrams may cut through. */
public interface DatagramPeers {

  /** The responder of a queue pair; null when no such queue pair takes datagrams. */
  @Nullable UdResponder datagrams(int qpn);
}
