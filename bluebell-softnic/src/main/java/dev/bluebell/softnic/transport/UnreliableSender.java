package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.View;
import dev.bluebell.softnic.queue.Fault;

/** Turns the WQEs of an unreliable queue pair into requests. Owned by whoever runs the engine. */
sealed interface UnreliableSender permits MessageSender, DatagramSender {
  /** What {@link #send} returns when the request can't be sent, and the fault says why. */
  long REFUSED = -1;

  /** Forgets the message that is being sent. */
  void reset();

  /** Takes the attributes that the transition to RTS sets. */
  void start(View qpc);

  /** PSN of the next request. */
  int nextPsn();

  /**
   * Checks the form of a WQE.
   *
   * @param at address of the device's snapshot of it
   * @param first first word of its control segment
   * @param control its fm_ce_se
   * @return length of its message; 0 with {@code fault} set when its form is wrong
   */
  long messageLength(long at, long first, int control, Fault fault);

  /**
   * Sends a message, or as much of it as the budget allows.
   *
   * @param at address of the device's snapshot of its WQE
   * @param end address behind it
   * @return bytes that were moved, or {@link #REFUSED}
   */
  long send(long at, long end, int bytes, long budget);

  /** True when the last {@link #send} reached the end of its message. */
  boolean isDone();
}
