package dev.bluebell.uverbs.cm;

/**
 * The peers that ids of this device can reach: on this device ({@link Ports}) or on others ({@link
 * Network}). Called under the lock of the {@link ConnectionManager}; never waits.
 */
interface Peers {

  /** The result of delivering a request. */
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
   * Delivers a connection request.
   *
   * @param psn that the receiver starts to send with, 24 bits
   */
  Delivery connect(Route route, Offer offer, int psn, ReliableEnd from);

  /** Delivers a SIDR request for a datagram queue pair. */
  Delivery find(Route route, byte[] data, DatagramEnd from);
}
