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

  /** Forgets everything, as the transition to RST asks. */
  void reset();

  /**
   * Takes the attributes that the transition to RTS sets.
   *
   * @param timeoutCode local ACK timeout of the path
   */
  void start(View qpc, int timeoutCode);

  /**
   * Takes whether MMO requests are executed; a requester of a service that has none does nothing.
   *
   * @param mmo of the extended context
   */
  default void allowCopies(boolean mmo) {}

  /** Takes the attributes that may also change later. */
  void configure(View qpc);

  /** Sends what one turn allows; 0 when there is nothing to send or something to wait for. */
  int work();

  /** Earliest time at which a timer runs out; {@link Long#MAX_VALUE} for never. */
  long deadline();

  /** Lets timers that ran out take effect. */
  void onTimer();

  /** What the oldest request waits for, as a part of a sentence; empty when none waits. */
  default String describe() {
    return "";
  }

  /** Takes a response off the fabric; a service that is not acknowledged gets none. */
  default void receive(Packet response) {}

  /**
   * Hears why a request of this queue pair was dropped on its way.
   *
   * @param stream that sent it; 0 for queue pairs without streams
   */
  void noteDrop(int stream, String why);

  /**
   * Lets a failed stream of an initiator work again.
   *
   * @param id of the stream, 16 bits
   * @return why it can't be; empty when it was done
   */
  default String resetStream(QpIdentity self, int id) {
    return "QP 0x%x has no streams (log_num_dci_stream_channels)".formatted(self.number());
  }

  /** Its peer, for the list of objects; empty when each request has another. */
  default String peer() {
    return "";
  }

  /** Completes everything that was fetched with a flush error. */
  void flushOutstanding(String cause);

  /**
   * Completes what is posted and not fetched with a flush error.
   *
   * @param most requests after which to stop
   * @return how many
   */
  int flushPosted(String cause, int most);
}
