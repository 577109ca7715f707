package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.packet.Packet;

/**
 * The half of a queue pair that executes what peers send; one for each service. Owned by the thread
 * that runs the engine.
 */
public interface ResponderHalf {

  /** PSN of the next request; 0 where PSNs mean nothing. */
  int expectedPsn();

  /** Forgets everything, as the transition to RST asks. */
  void reset();

  /** Takes the attributes that the transition to RTR sets. */
  void start(View qpc);

  /** Takes the attributes that may also change later. */
  void configure(View qpc);

  /**
   * Takes a request off the fabric.
   *
   * @return why it was dropped without an answer, for its sender; empty when it was not
   */
  String receive(Packet request);

  /** Answers what one turn allows; how much was done. */
  int respond();

  /** Acknowledges what was executed, as nobody does when its owner is gone. */
  default void settle() {}

  /** Flushes the receive WQE of a message that was arriving. */
  void flushHeld(String cause);

  /** A shared receive queue that only messages name ends: forgets what was received there. */
  default void forget(ReceiveSource gone) {}
}
