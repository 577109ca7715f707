package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.transport.operation.Progress;

/**
 * Sends the WQEs of an unreliable queue pair as packets. Owned by the thread that runs the engine.
 */
public interface UnreliableSender {
  /** Forgets the message that is being sent. */
  default void reset() {}

  /** Applies the attributes that the transition to RTS sets. */
  void start(View qpc);

  /** Applies the attributes that may also change later. */
  void configure(View qpc);

  /** PSN of the next request. */
  int nextPsn();

  /** Decodes the WQEs of this service. */
  WqeDecoder decoder();

  /** Most bytes of a message. */
  long longest();

  /**
   * Sends a message, or as much of it as the budget allows.
   *
   * @return bytes that were moved, {@link Progress#WAIT} if the route has no room now, or {@link
   *     Progress#REFUSED}
   */
  long send(SendWqe wqe, long budget);

  /** True when the last {@link #send} reached the end of its message. */
  default boolean isDone() {
    return true;
  }

  /** The peer of the connection, for the list of objects; empty when each request has another. */
  default String peer() {
    return "";
  }

  /** Reports why a request was dropped on its way. */
  void noteDrop(String why);
}
