package dev.bluebell.uverbs.cm;

/**
 * The ends that ids of this device reach: those of this device ({@link Ports}) or those of others
 * ({@link Network}). Called under the lock of the {@link ConnectionManager}; nothing of it waits.
 */
interface Peers {

  /** What became of a request. */
  enum Delivery {
    /** A listener has it, and its process may answer. */
    TAKEN,
    /** A listener has no room for it now. */
    BUSY,
    /** No listener takes it. */
    REFUSED
  }

  /** True when the address, which must be specific, is reachable. */
  boolean reach(CmAddress destination);

  /**
   * Delivers a request for a connection.
   *
   * @param psn that the receiver starts to send with, 24 bits
   */
  Delivery connect(Route route, Offer offer, int psn, ConnectionPeer from);

  /** Delivers a request for a queue pair of datagrams. */
  Delivery find(Route route, byte[] data, DatagramPeer from);
}
