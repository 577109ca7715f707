package dev.bluebell.verifier;

/** The events of a queue pair that happen in the order of its requests, or of its messages. */
enum Chain {
  /** A request has begun, and so have all before it. */
  BEGUN,
  /** What a WRITE or SEND does at the peer is done, and all before it of that kind. */
  WRITTEN,
  /** A READ or atomic is done at the peer, and all before it of that kind. */
  ANSWERED,
  /** A matrix is transposed, and so are all before it. */
  TRANSPOSED,
  /** A UMR has changed its key, and so have all before it. */
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
