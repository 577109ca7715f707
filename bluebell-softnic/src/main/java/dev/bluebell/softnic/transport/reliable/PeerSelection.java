package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.transport.local.Addressing;
import org.jspecify.annotations.Nullable;

/** Selects the peer of each request of a requester. Owned by the thread that runs the engine. */
public interface PeerSelection extends Addressing {

  /** Result of {@link #aim}. */
  enum Aim {
    /** The connection already leads to the peer of the request. */
    SAME,
    /** The connection now leads to another peer. */
    OTHER,
    /** The request must wait until those to another peer are complete. */
    WAITS
  }

  /**
   * Points the connection at the peer of a request that is sent as packets.
   *
   * @param isIdle true when no request is outstanding
   * @param fault set when the request names no possible peer
   */
  Aim aim(SendWqe wqe, boolean isIdle, Fault fault);

  /** The responder of the peer, if it is on this device; otherwise null. */
  @Nullable RcResponder responder();

  /** Forgets the peer that a request named. */
  void reset();
}
