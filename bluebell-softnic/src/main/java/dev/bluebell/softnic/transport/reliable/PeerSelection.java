package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.transport.local.Addressing;
import org.jspecify.annotations.Nullable;

/** Whom the requests of a requester go to. Owned by the thread that runs the engine. */
public interface PeerSelection extends Addressing {

  /** What {@link #aim} did. */
  enum Aim {
    /** The connection leads to the peer of the request, as before. */
    SAME,
    /** The connection leads to another peer now. */
    OTHER,
    /** The request must wait until those to another peer are complete. */
    WAITS
  }

  /**
   * Points the connection at the peer of a request that travels.
   *
   * @param isIdle true when no request is outstanding
   * @param fault says when there can be no such peer
   */
  Aim aim(SendWqe wqe, boolean isIdle, Fault fault);

  /** The responder of the peer, if it is of this device; otherwise null. */
  @Nullable RcResponder responder();

  /** Forgets the peer that a request named. */
  void reset();
}
