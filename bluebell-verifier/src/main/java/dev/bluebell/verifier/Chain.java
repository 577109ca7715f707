package dev.bluebell.verifier;

/** The events of a queue pair that happen in the order of its requests, or of its messages. */
enum Chain {
  /** A request has begun, and so have all earlier ones. */
  BEGUN,
  /** A WRITE or SEND has had its effect at the peer, and so have all earlier WRITEs and SENDs. */
  WRITTEN,
  /** A READ or atomic has had its effect at the peer, and so have all earlier READs and atomics. */
  ANSWERED,
  /** A matrix is transposed, and so are all earlier ones. */
  TRANSPOSED,
  /** A UMR has changed its key, and so have all earlier UMRs. */
  KEYED,
  /** A request is complete, and its result is in memory. */
  COMPLETE,
  /** A message is complete at the receiver, and in memory. */
  RECEIVED;

  /** Number of the chain among those of all queue pairs. */
  int of(int queue) {
    return queue * values().length + ordinal();
  }
}
