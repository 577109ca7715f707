package dev.bluebell.verifier;

/**
 * A possible next step of the device.
 *
 * @param kind its kind
 * @param queue position of the queue in the image
 * @param which position among its operations or arrivals, from the oldest
 */
record Step(Kind kind, int queue, int which) {
  /** Kinds of steps. */
  enum Kind {
    /** Reads words of the send ring. */
    FETCH,
    /** Begins the next request; this completes a NOP, WAIT or SEND_EN. */
    BEGIN,
    /** Reads the payload of a WRITE or SEND. */
    GATHER,
    /** Executes a request on the peer's memory. */
    PERFORM,
    /** Scatters the response of a READ or atomic. */
    SCATTER,
    /** Completes the oldest request. */
    COMPLETE,
    /** Reads words of the receive ring. */
    FETCH_RECEIVE,
    /** Scatters words of a message. */
    RECEIVE,
    /** Completes the oldest message. */
    COMPLETE_RECEIVE,
    /** The client's next message reaches the queue. */
    ARRIVE;

    /** True when it reads or writes payload. */
    boolean movesPayload() {
      return switch (this) {
        case GATHER, PERFORM, SCATTER, RECEIVE -> true;
        case FETCH, BEGIN, COMPLETE, FETCH_RECEIVE, COMPLETE_RECEIVE, ARRIVE -> false;
      };
    }
  }
}
