package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.packet.Packet;

/**
 * The half of a queue pair that executes the requests of its peers; one for each service. Owned by
 * the thread that runs the engine.
 */
public interface ResponderHalf {

  /** PSN of the next request; 0 for services that do not use PSNs. */
  default int expectedPsn() {
    return 0;
  }

  /** Forgets everything, for the transition to RST. */
  void reset();

  /** Takes the attributes that the transition to RTR sets. */
  default void start(View qpc) {}

  /** Takes the attributes that may also change later. */
  default void configure(View qpc) {}

  /**
   * Handles a request from the fabric.
   *
   * @return why it was dropped without an answer, for its sender; empty when it was not
   */
  String receive(Packet request);

  /** Responds to as many requests as one turn allows, and returns how much was done. */
  default int respond() {
    return 0;
  }

  /**
   * Acknowledges executed requests before the owner is gone, because nothing does so afterwards.
   */
  default void settle() {}

  /** Earliest time at which a timer runs out; {@link Long#MAX_VALUE} for never. */
  default long deadline() {
    return Long.MAX_VALUE;
  }

  /** Handles expired timers. */
  default void onTimer() {}

  /**
   * Forgets a message whose first packet could not be executed, as if it had not arrived. Its
   * receive WQE is for the next message to the same queue.
   */
  default void abandonMessage() {}

  /** Flushes the receive WQE of a message that was arriving. */
  default void flushHeld(String cause) {}
}
