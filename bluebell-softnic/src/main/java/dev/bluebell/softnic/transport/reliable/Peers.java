package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Finds the responders of this device to which requests may cut through. */
public interface Peers {

  /** The responder of a reliable connection; null when no such queue pair exists. */
  @Nullable RcResponder responder(int qpn);

  /**
   * The responder of an initiator's session with its target; null when the target has no such
   * session.
   *
   * @param packet addressed by the initiator
   */
  @Nullable RcResponder session(Packet packet);

  /** A number for a new session, larger than those before, modulo 2^32. */
  int newSession();
}
