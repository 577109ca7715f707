package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.packet.Packet;

/**
 * The half of a queue pair that executes its send queue; one for each service. Owned by the thread
 * that runs the engine.
 */
public interface RequesterHalf {

  /** PSN of the next new request. */
  int nextPsn();

  /** Forgets everything, for the transition to RST. */
  void reset();

  /**
   * Takes the attributes that the transition to RTS sets.
   *
   * @param timeoutCode local ACK timeout of the path
   */
  void start(View qpc, int timeoutCode);

  /**
   * Sets whether MMO requests are executed; ignored by requesters of services without them.
   *
   * @param mmo of the extended context
   */
  default void allowCopies(boolean mmo) {}

  /** Takes the attributes that may also change later. */
  void configure(View qpc);

  /** Sends as much as one turn allows; 0 when there is nothing to send or it must wait. */
  int work();

  /** Earliest time at which a timer runs out; {@link Long#MAX_VALUE} for never. */
  long deadline();

  /** Handles expired timers. */
  void onTimer();

  /**
   * The event that the oldest request waits for, as part of a sentence; empty when it does not
   * wait.
   */
  default String describe() {
    return "";
  }

  /** Handles a response from the fabric; unacknowledged services get none. */
  default void receive(Packet response) {}

  /**
   * Reports why a request of this queue pair was dropped on its way.
   *
   * @param stream that sent it; 0 for queue pairs without streams
   */
  void noteDrop(int stream, String why);

  /**
   * Resets a failed stream of an initiator.
   *
   * @param id of the stream, 16 bits
   * @return why this is impossible; empty when it was done
   */
  default String resetStream(QpIdentity self, int id) {
    return "QP 0x%x has no streams (log_num_dci_stream_channels)".formatted(self.number());
  }

  /** Its peer, for the list of objects; empty when each request has another. */
  default String peer() {
    return "";
  }

  /** Completes all fetched requests with a flush error. */
  void flushOutstanding(String cause);

  /**
   * Completes, with a flush error, posted requests that were not fetched.
   *
   * @param most bound on the number of requests
   * @return how many
   */
  int flushPosted(String cause, int most);
}
