package dev.bluebell.softnic.transport;

import org.jspecify.annotations.Nullable;

/** The responders of this device that requests may cut through to. */
interface Peers {

  /** The responder of a reliable connection; null when no such queue pair exists. */
  @Nullable RcResponder responder(int qpn);
}
