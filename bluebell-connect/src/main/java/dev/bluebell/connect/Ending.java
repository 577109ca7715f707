package dev.bluebell.connect;

/** How a connection ended. */
public enum Ending {
  /** This side disconnected. */
  DISCONNECTED_HERE,
  /** The peer disconnected. */
  DISCONNECTED_BY_PEER,
  /**
   * The peer vanished, did not answer a keepalive, or sent invalid data. By RDMA CM also: the
   * device of this side was closed, or its device process ended.
   */
  LOST
}
