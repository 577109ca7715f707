package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/** The responders of this device that requests may cut through to. */
public interface Peers {

  /** The responder of a reliable connection; null when no such queue pair exists. */
  @Nullable RcResponder responder(int qpn);

  /**
   * The responder of the session that an initiator has with its target; null when the target knows
   * of none.
   *
   * @param packet addressed by the initiator
   */
  @Nullable RcResponder session(Packet packet);

  /** A number for a new session, larger than those before, modulo 2^32. */
  int newSession();
}
