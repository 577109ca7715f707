package dev.bluebell.verifier;

/**
 * Something that the device may do next.
 *
 * @param kind what
 * @param queue position of the queue in the image
 * @param which of its operations or arrivals, the oldest first
 */
record Step(Kind kind, int queue, int which) {
  /** What a device chooses among. */
  enum Kind {
    /** Reads words of the send ring. */
    FETCH,
    /** Begins the next request; a NOP, WAIT or SEND_EN is thereby done. */
    BEGIN,
    /** Reads what a WRITE or SEND carries. */
    GATHER,
    /** Does a request's work in the peer's memory. */
    PERFORM,
    /** Puts the answer of a READ or atomic where its list says. */
    SCATTER,
    /** Completes the oldest request. */
    COMPLETE,
    /** Reads words of the receive ring. */
    FETCH_RECEIVE,
    /** Puts words of a message where the receive entry says. */
    RECEIVE,
    /** Completes the oldest message. */
    COMPLETE_RECEIVE,
    /** The client's next message reaches the queue. */
    ARRIVE;

    /** True when it reads or writes what a request is about. */
    boolean movesPayload() {
      return switch (this) {
        case GATHER, PERFORM, SCATTER, RECEIVE -> true;
        case FETCH, BEGIN, COMPLETE, FETCH_RECEIVE, COMPLETE_RECEIVE, ARRIVE -> false;
      };
    }
  }
}
