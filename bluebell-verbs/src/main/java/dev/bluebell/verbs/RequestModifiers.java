package dev.bluebell.verbs;

/** The stage in which a request takes its flags; all are optional. */
@CheckReturnValue
public interface RequestModifiers extends RequestEnd {

  /** The request starts only when all earlier READs and atomics of the queue are complete. */
  RequestModifiers fence();

  /** The completion at the peer, if the request causes one, is a solicited event. */
  RequestModifiers solicited();
}
